import { t } from "@lingui/core/macro";

/** Aborts a user's calls when the session ends, so that their results never reach the next user. */
let session = new AbortController();

/** Thrown by calls whose session has ended, or was replaced by another login; never shown to the user. */
export class SessionEnded extends Error {
  override readonly name = "SessionEnded";

  constructor() {
    super(t`You have been logged out.`);
  }
}

/** Returns a signal that aborts when the current session ends. */
export const sessionSignal = (): AbortSignal => session.signal;

/** Must be called when a user logs in or out, or the server has ended the session. */
export function endSessionCalls(): void {
  const ended = session;
  session = new AbortController();
  ended.abort(new SessionEnded());
}
