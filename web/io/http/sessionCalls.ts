/** Calls that a user has begun end with the user's session: nothing of them reaches whoever logs in next. */
let session = new AbortController();

/** Thrown by calls whose session has ended; shown to nobody. */
export class SessionEnded extends Error {
  override readonly name = "SessionEnded";

  constructor() {
    super("You have been logged out.");
  }
}

/** Aborts when the session of whoever works here now ends. */
export const sessionSignal = (): AbortSignal => session.signal;

/** To be called when somebody logs out or in, or the server has ended the session. */
export function endSessionCalls(): void {
  const ended = session;
  session = new AbortController();
  ended.abort(new SessionEnded());
}
