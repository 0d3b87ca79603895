import { boxRing } from "../../../shared/coco/measure";
import type { Annotation } from "../../../shared/entities/annotation";
import type { Rings, Rle } from "../../../shared/entities/shape";

const NOTHING: Rings = [];
/** Most attempts to trace a mask for display. */
const TRIES = 3;

/**
 * The rings that an annotation is shown with, in image pixels: its own, those traced from its mask, or the rectangle of
 * its box. What is stored is not touched by showing it.
 */
export class Outlines {
  private readonly traced = new WeakMap<Rle, Rings>();
  private readonly asked = new WeakMap<Rle, Promise<Rings>>();
  private readonly failures = new WeakMap<Rle, number>();

  constructor(
    private readonly trace: (rle: Rle) => Promise<Rings>,
    /** A mask's outline has come. */
    private readonly onTraced: (uuid: string) => void,
  ) {}

  of(annotation: Annotation): Rings {
    const { rings, rle } = annotation;
    if (rings) return rings;
    if (rle) return this.traced.get(rle) ?? this.ask(annotation.uuid, rle);
    return isBoxOnly(annotation) ? [[boxRing(annotation.bbox)]] : NOTHING;
  }

  /** The same, waited for where a mask's outline is still being traced. Rejects where the mask is malformed. */
  async whole(annotation: Annotation): Promise<Rings> {
    const { rings, rle } = annotation;
    if (rings || !rle) return this.of(annotation);
    this.of(annotation);
    return this.traced.get(rle) ?? this.asked.get(rle) ?? this.trace(rle);
  }

  private ask(uuid: string, rle: Rle): Rings {
    if (this.asked.has(rle) || (this.failures.get(rle) ?? 0) >= TRIES) return NOTHING;
    const outline = this.trace(rle);
    this.asked.set(rle, outline);
    outline.then(
      (rings) => {
        this.traced.set(rle, rings);
        this.onTraced(uuid);
      },
      // A malformed mask has no outline; the annotation stays as it is, without one. A worker may have broken down.
      () => {
        this.asked.delete(rle);
        this.failures.set(rle, (this.failures.get(rle) ?? 0) + 1);
      },
    );
    return NOTHING;
  }
}

/** Returns true if only the shape's box is known, as in COCO files with an absent or empty segmentation. */
export function isBoxOnly({ rings, rle, keypoints, bbox }: Annotation): boolean {
  return rings === null && rle === null && !keypoints?.length && bbox[2] > 0 && bbox[3] > 0;
}
