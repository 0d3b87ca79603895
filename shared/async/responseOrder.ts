/**
 * Orders the responses to repeated requests by the time of the request: once a newer request has its response, the
 * responses to older requests must be ignored.
 */
export class ResponseOrder {
  private sent = 0;
  private accepted = 0;

  /**
   * Notes that a request is sent. Returns a function to call when the response arrives: it returns false if the
   * response must be ignored.
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
