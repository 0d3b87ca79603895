import { DextrState } from "./DextrState";

/** A computation that takes longer than this is spoken of. In milliseconds. */
const LONG_MS = 250;

/** The network is at work. Enter takes what comes; a further click asks anew. */
export class Computing extends DextrState {
  readonly name: string = "computing";
  private timer: ReturnType<typeof setTimeout> | undefined;

  override enter(): void {
    this.timer = setTimeout(() => this.tool.showsWaiting(true), LONG_MS);
  }

  override exit(): void {
    clearTimeout(this.timer);
    this.tool.showsWaiting(false);
  }

  override complete(): void {
    this.tool.takeWhatComes();
  }

  override cancel(): boolean {
    this.tool.giveUpLast();
    return true;
  }
}
