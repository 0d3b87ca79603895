import type { Rings } from "../../../../shared/entities/shape";
import type { Piece } from "../../canvas/active/paintingLayer";
import type { Point } from "../../canvas/view/view";

/** The regions of one magic wand gesture, some still being computed. */
export class WandGesture {
  private rings: Rings | null = null;
  private pending: Promise<void>[] = [];
  private last: Point | null = null;
  private error: unknown = null;
  private isReported = false;

  constructor(
    readonly operation: Piece["operation"],
    /** Uuid of the annotation that the gesture was begun on. */
    readonly target: string,
  ) {}

  /** The region found so far. */
  get piece(): Piece | null {
    return this.rings && this.error === null ? { operation: this.operation, rings: this.rings } : null;
  }

  /** Returns true if a point lies on a different pixel from the previous point. */
  isNew({ x, y }: Point): boolean {
    return !this.last || Math.floor(this.last.x) !== Math.floor(x) || Math.floor(this.last.y) !== Math.floor(y);
  }

  /**
   * Adds a point. `outline`: the outline of all regions so far, or null if a newer outline will follow. Resolves to the
   * gesture's first error, or null.
   */
  async add(at: Point, outline: Promise<Rings | null>): Promise<unknown> {
    this.last = at;
    const taken = outline.then(
      (rings) => {
        this.rings = rings ?? this.rings;
      },
      (error: unknown) => {
        this.error ??= error;
      },
    );
    this.pending.push(taken);
    await taken;
    return this.error;
  }

  /** Returns true only on the first call, so that a gesture reports its failure once. */
  reportOnce(): boolean {
    const isFirst = !this.isReported;
    this.isReported = true;
    return isFirst;
  }

  /** Resolves to all regions when they are computed; null if there are none or the computation failed. */
  async finished(): Promise<Piece | null> {
    await Promise.all(this.pending);
    return this.piece;
  }
}
