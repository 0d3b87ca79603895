import { type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { createContext, useCallback, useContext } from "react";
import { getInfo } from "../../shared/api/info";
import { unreachable } from "../../shared/api/protocol/requestError";
import { changePassword, getUser, login, logout, register, resetPreferences } from "../../shared/api/user";
import { limitedSignal } from "../../shared/async/signals";
import { PASSWORD_MIN } from "../../shared/constants";
import type { User } from "../../shared/entities/user";
import { hideFailures } from "../components/messages/toast";
import { isOutcomeUnknown, RequestError, request } from "../io/http/request";
import { wipeLocalData } from "../io/leaving";
import { connect, disconnect } from "../io/live/connection";
import { noteOldOwner, type Owner } from "../io/storage/journalName";
import { forget, recall, remember } from "../io/storage/localStore";
import { useAnswer } from "./answer";
import { INFO_KEY, TOKENS_KEY, USER_KEY } from "./keys";

/** Remembered, so that the application opens without network. */
const REMEMBERED = "user";
/** Logged out while the server was away: its cookie must die before anybody is let in by it. */
const PENDING_LOGOUT = "logout";

/** A server that hangs is as good as none. */
const PATIENCE_MS = 8000;

/** The logged-in user. `isRemembered`: the server could not be reached. */
export interface Session {
  user: User;
  /** Null where the server does not know ids of installations yet. */
  installation: string | null;
  isRemembered: boolean;
}

/** Owner of the journal that a session uses. */
export const ownerOf = ({ user, installation }: Pick<Session, "user" | "installation">): Owner => ({
  installation,
  userId: user.id,
  username: user.username,
});

export const infoQuery = queryOptions({
  queryKey: INFO_KEY,
  queryFn: ({ signal }) => request(getInfo, {}, { signal }),
  staleTime: 60_000,
  meta: { quiet: true },
});

/** Null: nobody is logged in. */
export const sessionQuery = queryOptions({
  queryKey: USER_KEY,
  queryFn: ({ signal }) => findSession(signal),
  staleTime: 60_000,
  retry: false,
  structuralSharing: (before, now) => samePerson(before as Session | null | undefined, now as Session | null),
  // The server that was away is asked again, quietly.
  refetchInterval: (query) => (query.state.data?.isRemembered ? 10_000 : false),
  meta: { quiet: true },
});

/** The same person stays the same object, though seen later: else a page would begin anew under somebody's hands. */
function samePerson(before: Session | null | undefined, now: Session | null): Session | null {
  if (!before || !now || before.installation !== now.installation) return now;
  if (!ABOUT.every((key) => before.user[key] === now.user[key])) return now;
  return before.isRemembered === now.isRemembered ? before : { ...now, user: before.user };
}
const ABOUT = ["id", "username", "name", "is_admin", "anonymous"] as const;

async function findSession(signal: AbortSignal): Promise<Session | null> {
  const limit = limitedSignal(signal, PATIENCE_MS);
  try {
    await finishLogout();
    const { user, installation } = await request(getUser, {}, { signal: limit.signal, outlivesSession: true });
    return rememberSession(user, installation);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RequestError && (error.status === 401 || error.status === 403)) return null;
    const remembered = recall(REMEMBERED, isUser);
    if (remembered) {
      const { installation = null, ...user } = remembered;
      return { user, installation, isRemembered: true };
    }
    if (recall(PENDING_LOGOUT, isTrue)) return null;
    throw error;
  } finally {
    limit.stop();
  }
}

/** The browser's note of who was logged in last; versions before ids wrote it without the installation. */
type Remembered = User & { installation?: string };

/** Before the note of an earlier version is written over, it says whose the journal of that number is. */
function rememberSession(user: User, installation: string | undefined): Session {
  const before = recall(REMEMBERED, isUser);
  if (before && !before.installation) noteOldOwner(before.id, before.username);
  remember(REMEMBERED, { ...user, installation } satisfies Remembered);
  return { user, installation: installation ?? null, isRemembered: false };
}

let finishing: Promise<void> | undefined;

/** One at a time: an answer that comes late would take the cookie of whoever has logged in meanwhile. */
function finishLogout(): Promise<void> {
  if (!recall(PENDING_LOGOUT, isTrue)) return Promise.resolve();
  finishing ??= tellLogout().finally(() => {
    finishing = undefined;
  });
  return finishing;
}

/** Throws the error of what comes next, named by `title`, when the server cannot be reached: nobody asked to log out. */
async function finishLogoutBefore(title: string): Promise<void> {
  await finishLogout().catch((error) => {
    throw error instanceof RequestError && error.status === 0 ? unreachable(title) : error;
  });
}

async function tellLogout(): Promise<void> {
  const limit = limitedSignal(undefined, PATIENCE_MS);
  try {
    await request(logout, {}, { signal: limit.signal, outlivesSession: true });
  } catch (error) {
    if (limit.signal.aborted) throw unreachable(logout.title);
    if (!(error instanceof RequestError && error.status === 401)) throw error;
  } finally {
    limit.stop();
  }
  forget(PENDING_LOGOUT);
}

const isTrue = (value: unknown): value is true => value === true;
const isUser = (value: unknown): value is Remembered =>
  typeof value === "object" && value !== null && "username" in value && "id" in value;

export const useInfo = () => useAnswer(infoQuery);

/** Name of this installation; the program's own until the server has said it. Asks nothing: the page around it does. */
export function useInstallationName(): string {
  const info = useAnswer({ ...infoQuery, enabled: false });
  return info.state === "here" ? info.data.name : "Limn";
}

/** Length of a new password. Until the server has said its own it is the usual one: the server checks it in any case. */
export function usePasswordMin(): number {
  const info = useInfo();
  return info.state === "here" ? info.data.password_min : PASSWORD_MIN;
}

/** The server's word on who is logged in, for what lets users in. Pages inside the shell take `useSession`. */
export const useSessionAnswer = () => useAnswer(sessionQuery);

/** Set by the shell, which shows its pages only to a user who is logged in. */
export const CurrentSession = createContext<Session | null>(null);

/** Returns the session of the user who works here. Throws outside the shell. */
export function useSession(): Session {
  const session = useContext(CurrentSession);
  if (!session) throw new Error("Only pages inside the shell have a session.");
  return session;
}

export function useLogin() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: { username: string; password: string }) => {
      await finishLogoutBefore(login.title);
      return request(login, { body });
    },
    onSuccess: ({ user, installation }) => {
      hideFailures(login.title);
      enter(client, user, installation);
    },
  });
}

interface NewUser {
  username: string;
  password: string;
  name: string;
}

export function useRegister() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: NewUser) => {
      await finishLogoutBefore(register.title);
      return await request(register, { body }).catch((error: unknown) => loginIfRegistered(body, error));
    },
    onSuccess: ({ user, installation }) => {
      hideFailures(register.title);
      enter(client, user, installation);
    },
    // Somebody else may have been first, or registration is closed now.
    onError: () => client.invalidateQueries({ queryKey: INFO_KEY }),
  });
}

/** The server may have made the account though no response came: whoever has it is let in. Else throws `failure`. */
async function loginIfRegistered({ username, password }: NewUser, failure: unknown) {
  if (!isOutcomeUnknown(failure)) throw failure;
  return await request(login, { body: { username, password } }).catch(() => {
    throw failure;
  });
}

/** Other sessions end with the old password, and with `endTokens` all API tokens; this browser stays logged in. */
export function useChangePassword() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ password, newPassword, confirm, endTokens }: PasswordChange) => {
      // The server ends the person's live connections. This page lets go of its own first, so that none is lost.
      disconnect();
      try {
        return await request(changePassword, {
          body: { password, new_password: newPassword, confirm_password: confirm, end_tokens: endTokens },
        });
      } finally {
        connect();
      }
    },
    onSuccess: () => client.invalidateQueries({ queryKey: TOKENS_KEY }),
  });
}

export interface PasswordChange {
  password: string;
  newPassword: string;
  confirm: string;
  endTokens: boolean;
}

/** `forgetUnsent` takes away what this browser has not sent yet: else it would come after. */
export const useResetPreferences = (forgetUnsent: () => Promise<void>) =>
  useMutation({
    mutationFn: async () => {
      await forgetUnsent();
      return request(resetPreferences);
    },
  });

/** Nothing of whoever was here before may be shown to the one who enters. */
function enter(client: QueryClient, user: User, installation: string | undefined): void {
  dropAnswers(client);
  void client.invalidateQueries({ queryKey: INFO_KEY });
  client.setQueryData(USER_KEY, rememberSession(user, installation));
}

/** Forgets all that was loaded, but who is logged in and where: it is another user's or another installation's. */
export function dropAnswers(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== USER_KEY[0] && queryKey[0] !== INFO_KEY[0] });
}

/** To be called where the server has said that nobody, or somebody else, is logged in: one is asked to log in again. */
export function useEndSession(): () => void {
  const client = useQueryClient();
  return useCallback(() => client.setQueryData(USER_KEY, null), [client]);
}

/** Logs out here in any case and at once, and on the server as soon as it can be reached. */
export function useLogout() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      disconnect();
      // A response to an earlier request would log the user in again.
      await client.cancelQueries({ queryKey: USER_KEY });
      forget(REMEMBERED);
      remember(PENDING_LOGOUT, true);
      try {
        await wipeLocalData();
      } finally {
        leave(client);
        await finishLogout().catch(() => {});
      }
    },
  });
}

function leave(client: QueryClient): void {
  client.setQueryData(USER_KEY, null);
  dropAnswers(client);
}
