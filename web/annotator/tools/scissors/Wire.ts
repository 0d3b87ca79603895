import type { Ring } from "../../../../shared/entities/shape";
import type { Place } from "../../../../shared/scissors/liveWire";

/** The anchors of an unfinished outline and the lines along borders between them, in image pixels. */
export class Wire {
  /** For each anchor, the line that leads to it; for the first anchor, the anchor alone. */
  private lines: Ring[] = [];
  /** Lines of undone anchors, for redo. */
  private undone: Ring[] = [];

  /** Number of anchors. */
  get count(): number {
    return this.lines.length;
  }

  get first(): Place | null {
    const [line] = this.lines;
    return line ? endOf(line) : null;
  }

  get last(): Place | null {
    const line = this.lines.at(-1);
    return line ? endOf(line) : null;
  }

  get anchors(): Ring {
    return this.lines.flatMap((line) => [...endOf(line)]);
  }

  /** All points, and for each anchor the number of points before its line. */
  get points(): { ring: Ring; starts: number[] } {
    const ring: Ring = [];
    const starts: number[] = [];
    for (const line of this.lines) {
      starts.push(ring.length >> 1);
      ring.push(...line.slice(starts.length === 1 ? 0 : 2));
    }
    return { ring, starts };
  }

  /**
   * Adds an anchor. `line` begins with the previous anchor and ends with the new one; for the first anchor, it is the
   * anchor alone.
   */
  add(line: Ring): void {
    this.lines.push(line);
    this.undone = [];
  }

  /** Replaces all anchors and lines. `ring` and `starts` are in the form that `points` returns. */
  restore(ring: Ring, starts: readonly number[]): void {
    this.clear();
    starts.forEach((start, i) => {
      const end = starts[i + 1];
      this.lines.push(ring.slice(i === 0 ? 0 : 2 * start - 2, end === undefined ? undefined : 2 * end));
    });
  }

  drop(): boolean {
    this.undone = [];
    return this.lines.pop() !== undefined;
  }

  undo(): boolean {
    const line = this.lines.pop();
    if (line) this.undone.push(line);
    return line !== undefined;
  }

  redo(): boolean {
    const line = this.undone.pop();
    if (line) this.lines.push(line);
    return line !== undefined;
  }

  /** Drops the undone anchors, which then cannot be redone. */
  forgetUndone(): void {
    this.undone = [];
  }

  clear(): void {
    this.lines = [];
    this.undone = [];
  }
}

const endOf = (line: Ring): Place => [line.at(-2)!, line.at(-1)!];
