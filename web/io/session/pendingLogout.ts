import { logout } from "../../../shared/api/accounts/user";
import { unreachableError } from "../../../shared/api/protocol/requestError";
import { limitedSignal } from "../../../shared/async/signals";
import { SESSION_TIMEOUT_MS } from "../../../shared/constants";
import { RequestError, request } from "../http/request";
import { forget, recall, remember } from "../storage/localStore";

/** A logout that has taken effect in this browser but not yet on the server. It must be sent before the next login. */

/** Storage key of the id of the user who has logged out. Earlier versions stored `true`. */
const PENDING_LOGOUT = "logout";

/** Stores that a user has logged out; undefined if the user's id is unknown. */
export const noteLogout = (userId: number | undefined): void => remember(PENDING_LOGOUT, userId ?? true);

export const isLogoutPending = (): boolean => recall(PENDING_LOGOUT, isPendingLogout) !== undefined;

let finishing: Promise<boolean> | undefined;

/**
 * Sends a pending logout, one request at a time: a late response to a second one would clear the cookie of the next
 * login. Returns true if another user has logged in meanwhile, whose session continues.
 */
export function finishLogout(): Promise<boolean> {
  const pending = recall(PENDING_LOGOUT, isPendingLogout);
  if (pending === undefined) return Promise.resolve(false);
  finishing ??= sendLogout(pending === true ? undefined : pending).finally(() => {
    finishing = undefined;
  });
  return finishing;
}

/**
 * Sends a pending logout before another call. If the server is unreachable, throws that call's error, under `title`.
 */
export async function finishLogoutBefore(title: string): Promise<void> {
  await finishLogout().catch((error) => {
    throw error instanceof RequestError && error.status === 0 ? unreachableError(title) : error;
  });
}

/** Ends this user's session, or any user's if `userId` is undefined. Returns true if the session is another user's. */
async function sendLogout(userId: number | undefined): Promise<boolean> {
  const limit = limitedSignal(undefined, SESSION_TIMEOUT_MS);
  let isOther = false;
  try {
    await request(logout, {}, { signal: limit.signal, outlivesSession: true, userId });
  } catch (error) {
    if (limit.signal.aborted) throw unreachableError(logout.title);
    isOther = error instanceof RequestError && error.code === "other_user";
    const isLoggedOut = error instanceof RequestError && error.status === 401;
    if (!isOther && !isLoggedOut) throw error;
  } finally {
    limit.stop();
  }
  forget(PENDING_LOGOUT);
  return isOther;
}

const isPendingLogout = (value: unknown): value is number | true => value === true || typeof value === "number";
