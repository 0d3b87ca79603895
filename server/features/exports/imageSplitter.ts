import { createHmac } from "node:crypto";
import { SPLITS, type Split } from "../../../shared/entities/export";

/**
 * Splits images into train, val and test sets. Each image has a number: a hash of its bytes, keyed with the seed. In
 * order of these numbers, the first share goes to train, the next to val and the rest to test. So the same images and
 * seed give the same sets whatever their names, new images move only those next to a border, and images with equal
 * bytes are never in two sets.
 */
export class ImageSplitter {
  private readonly numbers: number[] = [];
  private borders: [number, number] | undefined;

  /** @param shares percentages of train, val and test, which sum to 100 */
  constructor(
    private readonly shares: readonly [number, number, number],
    private readonly seed: string,
  ) {}

  /** Adds an image by the hash of its bytes. Add all images before the first call of `of`. */
  add(hash: string): void {
    this.numbers.push(this.numberOf(hash));
  }

  /** Returns the set of an image. */
  of(hash: string): Split {
    const [toVal, toTest] = this.findBorders();
    const number = this.numberOf(hash);
    return number < toVal ? "train" : number < toTest ? "val" : "test";
  }

  /** Sets with a share above 0. */
  get splits(): Split[] {
    return SPLITS.filter((_, i) => (this.shares[i] ?? 0) > 0);
  }

  /** Returns the first numbers of val and test. */
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

  /** Returns 48 bits of the keyed hash. */
  private numberOf(hash: string): number {
    return createHmac("sha256", this.seed).update(hash).digest().readUIntBE(0, 6);
  }
}
