import type { Rings } from "../../../../shared/entities/shape";
import type { Piece } from "../../canvas/hand/painting";
import type { Point } from "../../canvas/view/view";

/** The regions of one gesture, some of them still being computed. */
export class Gathering {
  private rings: Rings | null = null;
  private asked: Promise<void>[] = [];
  private last: Point | null = null;
  private error: unknown = null;
  private isTold = false;

  constructor(
    readonly operation: Piece["operation"],
    /** The annotation that it was begun on. */
    readonly target: string,
  ) {}

  /** The region found so far. */
  get piece(): Piece | null {
    return this.rings && this.error === null ? { operation: this.operation, rings: this.rings } : null;
  }

  /** Returns true if a point lies on another pixel than the one before. */
  isNew({ x, y }: Point): boolean {
    return !this.last || Math.floor(this.last.x) !== Math.floor(x) || Math.floor(this.last.y) !== Math.floor(y);
  }

  /** Waits for the outline of all regions, null where a newer one is to come. Resolves to the error, or null. */
  async add(at: Point, answer: Promise<Rings | null>): Promise<unknown> {
    this.last = at;
    const taken = answer.then(
      (rings) => {
        this.rings = rings ?? this.rings;
      },
      (error: unknown) => {
        this.error ??= error;
      },
    );
    this.asked.push(taken);
    await taken;
    return this.error;
  }

  /** Returns true the first time: a gesture reports its failure once. */
  tellOnce(): boolean {
    const isFirst = !this.isTold;
    this.isTold = true;
    return isFirst;
  }

  /** All that the gesture has found, when everything is computed; null where there is nothing or it has failed. */
  async whole(): Promise<Piece | null> {
    await Promise.all(this.asked);
    return this.piece;
  }
}
