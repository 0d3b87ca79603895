import type { Finding } from "./finding";
import { type RobustScale, robustScale, robustScore } from "./robustScores";

/** Number of annotations of a category from which their sizes and shapes are compared. */
export const FEWEST_COMPARED = 30;
/** Modified z-score from which a size or shape is unusual. */
export const UNUSUAL = { size: 4.5, shape: 4.5 };
/** Smallest deviation of a logarithm that counts: 10 %. */
const LEAST_DEVIATION = 0.1;

/** An annotation whose box is compared with others. */
interface Sized {
  id: number;
  revision: number;
  image: number;
}

/** Sizes of a category's annotations, one entry each. */
export class CategorySizes {
  private readonly annotations: number[] = [];
  private readonly revisions: number[] = [];
  private readonly images: number[] = [];
  /** Logarithm of the box's share of the image. */
  private readonly sizes: number[] = [];
  /** Logarithm of the box's width over its height; NaN if the image's border cuts the object. */
  private readonly shapes: number[] = [];

  get count(): number {
    return this.annotations.length;
  }

  /** Adds a box in an image, both in pixels. Boxes without an area are left out. */
  add({ id, revision, image }: Sized, box: readonly number[], frame: { width: number; height: number }): void {
    const [x = 0, y = 0, width = 0, height = 0] = box;
    if (width <= 0 || height <= 0 || frame.width <= 0 || frame.height <= 0) return;
    this.annotations.push(id);
    this.revisions.push(revision);
    this.images.push(image);
    this.sizes.push(Math.log((width * height) / (frame.width * frame.height)));
    const isCut = x <= 1 || y <= 1 || x + width >= frame.width - 1 || y + height >= frame.height - 1;
    this.shapes.push(isCut ? Number.NaN : Math.log(width / height));
  }

  /** Returns the annotations whose size or shape is far from that of the others; none if there are too few. */
  find(category: number): Finding[] {
    if (this.count < FEWEST_COMPARED) return [];
    return [
      ...this.outliers("unusualSize", this.sizes, UNUSUAL.size, category),
      ...this.outliers("unusualShape", this.shapes, UNUSUAL.shape, category),
    ];
  }

  private outliers(
    kind: "unusualSize" | "unusualShape",
    values: readonly number[],
    from: number,
    category: number,
  ): Finding[] {
    const known = Float64Array.from(values.filter((value) => !Number.isNaN(value)));
    const scale = known.length < FEWEST_COMPARED ? undefined : robustScale(known);
    if (!scale) return [];
    return values.flatMap((value, i) => {
      const score = robustScore(value, scale, LEAST_DEVIATION);
      if (!(Math.abs(score) > from)) return [];
      const details = { score, factor: factorOf(value, scale) };
      const [annotation, revision, image] = [this.annotations[i]!, this.revisions[i]!, this.images[i]!];
      return [{ kind, image, annotation, revision, category, score: Math.abs(score), details }];
    });
  }
}

/** Returns how many times the median a value is. */
const factorOf = (value: number, { median }: RobustScale): number => Math.exp(value - median);
