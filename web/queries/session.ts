import { type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { createContext, useCallback, useContext } from "react";
import { getUser, login, register, resetPreferences } from "../../shared/api/accounts/user";
import { getInfo } from "../../shared/api/info";
import type { OutputOf } from "../../shared/api/protocol/call";
import { limitedSignal } from "../../shared/async/signals";
import { PASSWORD_MIN, SESSION_TIMEOUT_MS } from "../../shared/constants";
import type { User } from "../../shared/entities/accounts/user";
import { hideFailures } from "../components/messages/toast";
import { setLocalAnswers } from "../io/http/localAnswers";
import { isOutcomeUnknown, RequestError, request } from "../io/http/request";
import { SessionEnded } from "../io/http/sessionCalls";
import { noteOldOwner, type Owner } from "../io/journal/journalName";
import { disconnect } from "../io/live/connection";
import { wipeLocalData } from "../io/logout";
import { finishLogout, finishLogoutBefore, isLogoutPending, noteLogout } from "../io/session/pendingLogout";
import { forget, recall, remember } from "../io/storage/localStore";
import { INFO_KEY, USER_KEY } from "./keys";
import { useQueryState } from "./queryState";

/** Storage key of the last user, so that the application opens offline. */
const REMEMBERED = "user";
/** The logged-in user. */
export interface Session {
  user: User;
  /** Null if the server is too old to have an installation id. */
  installation: string | null;
  /** True if the server could not be reached and the user is the one remembered in this browser. */
  isRemembered: boolean;
}

/** Returns the owner of the journal that a session uses. */
export const ownerOf = ({ user, installation }: Pick<Session, "user" | "installation">): Owner => ({
  installation,
  userId: user.id,
  username: user.username,
});

export const infoQuery = queryOptions({
  queryKey: INFO_KEY,
  queryFn: ({ signal }) => findInfo(signal),
  staleTime: 60_000,
  meta: { quiet: true },
});

/** Returns the server's info; while the server is away, the info that it sent last. */
async function findInfo(signal: AbortSignal): Promise<OutputOf<typeof getInfo>> {
  try {
    const info = await request(getInfo, {}, { signal, isHasty: true });
    remember(INFO, info);
    return info;
  } catch (error) {
    const remembered = error instanceof RequestError && error.isOffline ? recall(INFO, isInfo) : undefined;
    if (!remembered) throw error;
    return remembered;
  }
}
const INFO = "info";
const isInfo = (value: unknown): value is OutputOf<typeof getInfo> => getInfo.output.safeParse(value).success;

/** Query for the session; null if no user is logged in. */
export const sessionQuery = queryOptions({
  queryKey: USER_KEY,
  queryFn: ({ signal }) => findSession(signal),
  staleTime: 60_000,
  retry: false,
  structuralSharing: (before, now) => reuseUnchanged(before as Session | null | undefined, now as Session | null),
  // Keeps trying in the background while the server is unreachable.
  refetchInterval: (query) => (query.state.data?.isRemembered ? 10_000 : false),
  meta: { quiet: true },
});

/**
 * Keeps the old object if only fields such as `last_seen` changed, because a new object would restart the open page.
 */
function reuseUnchanged(before: Session | null | undefined, now: Session | null): Session | null {
  if (!before || !now || before.installation !== now.installation) return now;
  if (!COMPARED_FIELDS.every((key) => before.user[key] === now.user[key])) return now;
  return before.isRemembered === now.isRemembered ? before : { ...now, user: before.user };
}
const COMPARED_FIELDS = ["id", "username", "name", "is_admin", "anonymous"] as const;

async function findSession(signal: AbortSignal): Promise<Session | null> {
  const limit = limitedSignal(signal, SESSION_TIMEOUT_MS);
  try {
    await finishLogout();
    const options = { signal: limit.signal, outlivesSession: true, isHasty: recall(REMEMBERED, isUser) !== undefined };
    const { user, installation } = await request(getUser, {}, options);
    return rememberSession(user, installation);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RequestError && (error.status === 401 || error.status === 403)) return null;
    const remembered = recall(REMEMBERED, isUser);
    if (remembered) {
      const { installation = null, ...user } = remembered;
      return { user, installation, isRemembered: true };
    }
    if (isLogoutPending()) return null;
    throw error;
  } finally {
    limit.stop();
  }
}

/** The last logged-in user, as stored in this browser. Earlier versions stored no installation. */
type Remembered = User & { installation?: string };

/**
 * Stores the session in this browser. Before replacing the record of an earlier version, notes the owner of that
 * version's journal.
 */
function rememberSession(user: User, installation: string | undefined): Session {
  const before = recall(REMEMBERED, isUser);
  if (before && !before.installation) noteOldOwner(before.id, before.username);
  remember(REMEMBERED, { ...user, installation } satisfies Remembered);
  return { user, installation: installation ?? null, isRemembered: false };
}

const isUser = (value: unknown): value is Remembered =>
  typeof value === "object" && value !== null && "username" in value && "id" in value;

export const useInfo = () => useQueryState(infoQuery);

/**
 * Returns the name of this installation, or "Limn" until it is loaded. Sends no request, because the page around it
 * does.
 */
export function useInstallationName(): string {
  const info = useQueryState({ ...infoQuery, enabled: false });
  return info.state === "loaded" ? info.data.name : "Limn";
}

/**
 * Returns the minimum length of a new password; the default until it is loaded, because the server checks it anyway.
 */
export function usePasswordMin(): number {
  const info = useInfo();
  return info.state === "loaded" ? info.data.password_min : PASSWORD_MIN;
}

/** Returns the session query, for the login pages and the shell. Pages inside the shell use `useSession`. */
export const useSessionQuery = () => useQueryState(sessionQuery);

/** Provided by the shell, which shows its pages only to a logged-in user. */
export const CurrentSession = createContext<Session | null>(null);

/** Returns the current session. Throws outside the shell. */
export function useSession(): Session {
  const session = useContext(CurrentSession);
  if (!session) throw new Error("Only pages inside the shell have a session.");
  return session;
}

/** The latest attempt to log in or to register. */
let attempt = new AbortController();

/**
 * Begins an attempt to log in or to register, and returns its signal. Aborts the previous attempt, because its late
 * response would replace the cookie, and with it the user.
 */
function beginAttempt(): AbortSignal {
  attempt.abort(new SessionEnded());
  attempt = new AbortController();
  return attempt.signal;
}

export function useLogin() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: { username: string; password: string }) => {
      const signal = beginAttempt();
      await finishLogoutBefore(login.title);
      return request(login, { body }, { signal });
    },
    onSuccess: ({ user, installation }) => {
      hideFailures(login.title);
      startSession(client, user, installation);
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
      const signal = beginAttempt();
      await finishLogoutBefore(register.title);
      return await request(register, { body }, { signal }).catch((error: unknown) =>
        loginIfRegistered(body, error, signal),
      );
    },
    onSuccess: ({ user, installation }) => {
      hideFailures(register.title);
      startSession(client, user, installation);
    },
    // Another user may have registered first, or registration may be closed by now.
    onError: () => client.invalidateQueries({ queryKey: INFO_KEY }),
  });
}

/** Logs in if the account was created although no response arrived. Otherwise throws `failure`. */
async function loginIfRegistered({ username, password }: NewUser, failure: unknown, signal: AbortSignal) {
  signal.throwIfAborted();
  if (!isOutcomeUnknown(failure)) throw failure;
  return await request(login, { body: { username, password } }, { signal }).catch(() => {
    throw failure;
  });
}

/** Resets the preferences. `forgetUnsent` drops unsent preferences, which would otherwise overwrite the reset. */
export const useResetPreferences = (forgetUnsent: () => Promise<void>) =>
  useMutation({
    mutationFn: async () => {
      await forgetUnsent();
      return request(resetPreferences);
    },
  });

/** Starts a session with an empty cache, so that the user sees nothing of the previous user. */
function startSession(client: QueryClient, user: User, installation: string | undefined): void {
  setLocalAnswers(undefined);
  clearQueryCache(client);
  void client.invalidateQueries({ queryKey: INFO_KEY });
  client.setQueryData(USER_KEY, rememberSession(user, installation));
}

/** Clears the query cache of another user's or installation's data, except the session and the server info. */
export function clearQueryCache(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== USER_KEY[0] && queryKey[0] !== INFO_KEY[0] });
}

/** Returns a function that ends the session, for when the server reports that this user is not logged in any more. */
export function useEndSession(): () => void {
  const client = useQueryClient();
  return useCallback(() => client.setQueryData(USER_KEY, null), [client]);
}

/**
 * Logs a user out in this browser at once, and on the server as soon as it can be reached. Does nothing if another user
 * is logged in here by now. If another user has logged in in another tab meanwhile, that user's session continues, and
 * this tab shows it.
 */
export function useLogout() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ id: userId, username }: Pick<User, "id" | "username">) => {
      const present = client.getQueryData<Session | null>(USER_KEY)?.user.id;
      if (present !== undefined && present !== userId) return;
      disconnect();
      setLocalAnswers(undefined);
      // A late response to an earlier request would log the user in again.
      await client.cancelQueries({ queryKey: USER_KEY });
      if (recall(REMEMBERED, isUser)?.id === userId) forget(REMEMBERED);
      noteLogout(userId);
      try {
        await wipeLocalData(username);
      } finally {
        endSession(client);
        const isOther = await finishLogout().catch(() => false);
        if (isOther) await client.invalidateQueries({ queryKey: USER_KEY });
      }
    },
  });
}

function endSession(client: QueryClient): void {
  client.setQueryData(USER_KEY, null);
  clearQueryCache(client);
}
