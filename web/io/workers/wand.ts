import type { Rings } from "../../../shared/entities/shape";
import type { WandOptions } from "../../../shared/wand/magicWand";

export type { WandOptions };

/** The magic wand over one image. Its pixels lie with a worker of its own from the first call on. */
export interface Wand {
  /**
   * Adds the region of like colour around a point (image pixels) to those of this gesture; the first call begins one.
   * Returns the outline of all of them (polygons with holes); null where the point is outside the image, or where a
   * newer call of the gesture came before this one was begun. Rejects where the image cannot be loaded or the worker
   * fails; the next call tries again.
   */
  grow(x: number, y: number, options: WandOptions): Promise<Rings | null>;
  /** Loads the image ahead of the first call. */
  prepare(): void;
  /** The next call begins anew. What has been asked before is still answered. */
  end(): void;
  /** Lets go of the image. */
  close(): void;
}

type Compute = (gesture: number, x: number, y: number, options: WandOptions) => Promise<Rings | null>;

interface Asked {
  gesture: number;
  run: () => Promise<Rings | null>;
  resolve: (answer: Rings | null | Promise<Rings | null>) => void;
}

/** Hands one point at a time to `compute`, of those that wait in a gesture only the newest. */
export class LatestWand implements Wand {
  private gesture = 0;
  private isBusy = false;
  private waiting: Asked[] = [];

  constructor(
    private readonly compute: Compute,
    readonly close: () => void,
    readonly prepare: () => void = () => undefined,
  ) {}

  grow(x: number, y: number, options: WandOptions): Promise<Rings | null> {
    const { gesture } = this;
    return new Promise((resolve) => {
      if (this.waiting.at(-1)?.gesture === gesture) this.waiting.pop()!.resolve(null);
      this.waiting.push({ gesture, resolve, run: () => this.compute(gesture, x, y, options) });
      this.next();
    });
  }

  end(): void {
    this.gesture++;
  }

  private next(): void {
    const asked = this.isBusy ? undefined : this.waiting.shift();
    if (!asked) return;
    this.isBusy = true;
    const answer = asked.run();
    asked.resolve(answer);
    const goOn = () => {
      this.isBusy = false;
      this.next();
    };
    answer.then(goOn, goOn);
  }
}
