/**
 * Puts the answers to repeated questions into the order in which the questions were asked: an answer that was overtaken
 * by a newer one changes nothing.
 */
export class ResponseOrder {
  private asked = 0;
  private taken = 0;

  /** To be called as the question is asked. The result is called with its answer, and returns false if that is too old. */
  ask(): () => boolean {
    this.asked += 1;
    const number = this.asked;
    return () => {
      if (number < this.taken) return false;
      this.taken = number;
      return true;
    };
  }
}
