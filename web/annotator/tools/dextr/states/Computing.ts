import { DextrState } from "./DextrState";

/** A computation that takes longer than this is shown as running. In milliseconds. */
const LONG_MS = 250;

/**
 * State while the network computes. Enter accepts the outline as soon as it is computed; another click starts a new
 * request.
 */
export class Computing extends DextrState {
  readonly name: string = "computing";
  private timer: ReturnType<typeof setTimeout> | undefined;

  override enter(): void {
    this.timer = setTimeout(() => this.tool.showWaiting(true), LONG_MS);
  }

  override exit(): void {
    clearTimeout(this.timer);
    this.tool.showWaiting(false);
  }

  override complete(): void {
    this.tool.acceptWhenComputed();
  }

  override cancel(): boolean {
    this.tool.discardLast();
    return true;
  }
}
