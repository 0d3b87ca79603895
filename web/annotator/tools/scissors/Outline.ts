import type { Ring } from "../../../../shared/entities/shape";
import type { Place } from "../../../../shared/scissors/liveWire";
import type { Piece } from "../../canvas/active/paintingLayer";
import { Wire } from "./Wire";

/** One outline: its wire, and the anchors whose line is still being computed. */
export class Outline {
  readonly wire = new Wire();
  /** Anchors whose line is still being computed, in order. */
  private coming: Place[] = [];
  /** Operation chosen by the key that was held at the first anchor; null without a key. */
  operation: Piece["operation"] | null = null;
  /** True once a failed computation was reported. */
  hasFailed = false;

  /** Number of anchors, including those whose line is still being computed. */
  get count(): number {
    return this.wire.count + this.coming.length;
  }

  get first(): Place | null {
    return this.wire.first ?? this.coming[0] ?? null;
  }

  get anchors(): Ring {
    return [...this.wire.anchors, ...this.coming.flat()];
  }

  /** All points; lines that are still being computed are straight. */
  get ring(): Ring {
    return [...this.wire.points.ring, ...this.coming.flat()];
  }

  get isComputing(): boolean {
    return this.coming.length > 0;
  }

  /** Sets an anchor whose line will be added later. Undone anchors can then no longer be redone. */
  expect(at: Place): void {
    this.coming.push(at);
    this.wire.forgetUndone();
  }

  /** Returns true if the line to this anchor is the next one, and neither it nor the outline was discarded. */
  isNext(at: Place): boolean {
    return this.coming[0] === at;
  }

  /** Adds the line to the next anchor. */
  add(line: Ring): void {
    this.coming.shift();
    this.wire.add(line);
  }

  /** Removes the last anchor for good. Returns false if there is none. */
  dropLast(): boolean {
    return this.coming.pop() !== undefined || this.wire.drop();
  }

  /** Removes the last anchor. Returns false if there is none. */
  undoLast(): boolean {
    return this.coming.pop() !== undefined || this.wire.undo();
  }

  discard(): void {
    this.coming = [];
    this.wire.clear();
  }
}
