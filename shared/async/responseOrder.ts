/**
 * Orders the responses to repeated requests by the time of the request: a response that arrives after one to a newer
 * request must be ignored.
 */
export class ResponseOrder {
  private sent = 0;
  private accepted = 0;

  /**
   * Call this when a request is sent. Call the result when its response arrives: it returns false if that is too old.
   */
  ask(): () => boolean {
    this.sent += 1;
    const number = this.sent;
    return () => {
      if (number < this.accepted) return false;
      this.accepted = number;
      return true;
    };
  }
}
