import type { Rings } from "../../../shared/entities/shape";
import type { WandOptions } from "../../../shared/wand/magicWand";

export type { WandOptions };

/** The magic wand on one image. A separate worker holds the pixels from the first call on. */
export interface Wand {
  /**
   * Adds the region of similar colour around a point (image pixels) to the current gesture; the first call begins one.
   * Returns the outline of all its regions (polygons with holes). Null if the point is outside the image, or if a newer
   * call of the gesture replaced this one before it began. Rejects if the image cannot be loaded or the worker fails;
   * the next call tries again.
   */
  grow(x: number, y: number, options: WandOptions): Promise<Rings | null>;
  /** Loads the image ahead of the first call. */
  prepare(): void;
  /** Ends the gesture, so that the next call begins a new one. Earlier calls still complete. */
  end(): void;
  /** Releases the image. */
  close(): void;
}

type Compute = (gesture: number, x: number, y: number, options: WandOptions) => Promise<Rings | null>;

interface QueuedCall {
  gesture: number;
  run: () => Promise<Rings | null>;
  resolve: (outline: Rings | null | Promise<Rings | null>) => void;
}

/** Passes one point at a time to `compute`. Of a gesture's waiting points, only the newest is kept. */
export class LatestWand implements Wand {
  private gesture = 0;
  private isBusy = false;
  private waiting: QueuedCall[] = [];

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
    const call = this.isBusy ? undefined : this.waiting.shift();
    if (!call) return;
    this.isBusy = true;
    const outline = call.run();
    call.resolve(outline);
    const startNext = () => {
      this.isBusy = false;
      this.next();
    };
    outline.then(startNext, startNext);
  }
}
