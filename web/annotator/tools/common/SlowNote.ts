import type { Point } from "../../canvas/view/view";
import type { CursorPort, NotePort } from "./ports";

/** Time until the note about a running computation is shown, in milliseconds. */
const LONG_MS = 250;

/**
 * Shows that a tool is computing: at once with the cursor, and with a note if the computation takes long, for example
 * because the image has to be loaded.
 */
export class SlowNote {
  private running = 0;
  private isOver = false;

  constructor(
    private readonly ports: CursorPort & NotePort,
    private readonly text: string,
  ) {}

  begin(at: Point): void {
    this.running++;
    if (this.isOver) return;
    this.ports.showCursor("progress");
    if (this.running > 1) return;
    setTimeout(() => {
      if (this.running > 0 && !this.isOver) this.ports.showNote(this.text, at);
    }, LONG_MS);
  }

  end(): void {
    this.running--;
    if (this.running === 0 && !this.isOver) this.clear();
  }

  /** Must be called when the tool is left. */
  close(): void {
    if (this.running > 0) this.clear();
    this.isOver = true;
  }

  private clear(): void {
    this.ports.showCursor(null);
    this.ports.showNote(null, null);
  }
}
