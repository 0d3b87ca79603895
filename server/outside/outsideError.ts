/** The reason why a request to another server failed. The message is shown to the user. */
export class OutsideError extends Error {
  override name = "OutsideError";

  constructor(
    message: string,
    /** True if there was no response at all: no network, unknown host, connection refused, timeout. */
    readonly isUnreachable = false,
  ) {
    super(message);
  }
}
