import { createHmac } from "node:crypto";
import { SPLITS, type Split } from "../../../shared/entities/export";

/**
 * Deals images to train, val and test. Each has a number of its own, a keyed hash of the image's bytes under the seed;
 * in the order of these numbers the first share goes to train, the next to val, the rest to test. So the same images and
 * seed give the same split whatever they are called, images that are added move only those next to a border, and
 * images of the same bytes are never on two sides.
 */
export class ImageSplitter {
  private readonly numbers: number[] = [];
  private borders: [number, number] | undefined;

  /** @param shares of train, val and test, which sum to 100 */
  constructor(
    private readonly shares: readonly [number, number, number],
    private readonly seed: string,
  ) {}

  /** Counts an image that is to be dealt; all of them before the first is asked for. */
  add(hash: string): void {
    this.numbers.push(this.numberOf(hash));
  }

  of(hash: string): Split {
    const [toVal, toTest] = this.findBorders();
    const number = this.numberOf(hash);
    return number < toVal ? "train" : number < toTest ? "val" : "test";
  }

  /** Those that get a share. */
  get splits(): Split[] {
    return SPLITS.filter((_, i) => (this.shares[i] ?? 0) > 0);
  }

  /** The first numbers of val and of test. */
  private findBorders(): [number, number] {
    if (this.borders) return this.borders;
    const sorted = Float64Array.from(this.numbers).sort();
    this.numbers.length = 0;
    const [train, val, test] = this.shares;
    const first = (share: number) => sorted[Math.round((sorted.length * share) / 100)] ?? Number.POSITIVE_INFINITY;
    this.borders = [
      val + test > 0 ? first(train) : Number.POSITIVE_INFINITY,
      test > 0 ? first(train + val) : Number.POSITIVE_INFINITY,
    ];
    return this.borders;
  }

  /** 48 bits. */
  private numberOf(hash: string): number {
    return createHmac("sha256", this.seed).update(hash).digest().readUIntBE(0, 6);
  }
}
