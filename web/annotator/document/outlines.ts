import { boxRing } from "../../../shared/coco/measure";
import type { Annotation } from "../../../shared/entities/annotation";
import type { Rings, Rle } from "../../../shared/entities/shape";

const NOTHING: Rings = [];
/** Maximum number of attempts to trace a mask for display. */
const TRIES = 3;

/**
 * The rings that annotations are displayed with, in image pixels: their own, those traced from the mask, or the
 * rectangle of the bounding box. Displaying an annotation does not change what is stored.
 */
export class Outlines {
  private readonly traced = new WeakMap<Rle, Rings>();
  private readonly tracing = new WeakMap<Rle, Promise<Rings>>();
  private readonly failures = new WeakMap<Rle, number>();

  constructor(
    private readonly trace: (rle: Rle) => Promise<Rings>,
    /** Called when a mask's outline has been traced. */
    private readonly onTraced: (uuid: string) => void,
  ) {}

  of(annotation: Annotation): Rings {
    const { rings, rle } = annotation;
    if (rings) return rings;
    if (rle) return this.traced.get(rle) ?? this.startTracing(annotation.uuid, rle);
    return isBoxOnly(annotation) ? [[boxRing(annotation.bbox)]] : NOTHING;
  }

  /** Resolves with the rings once a mask has been traced. Rejects if the mask is malformed. */
  async whenTraced(annotation: Annotation): Promise<Rings> {
    const { rings, rle } = annotation;
    if (rings || !rle) return this.of(annotation);
    this.of(annotation);
    return this.traced.get(rle) ?? this.tracing.get(rle) ?? this.trace(rle);
  }

  private startTracing(uuid: string, rle: Rle): Rings {
    if (this.tracing.has(rle) || (this.failures.get(rle) ?? 0) >= TRIES) return NOTHING;
    const outline = this.trace(rle);
    this.tracing.set(rle, outline);
    outline.then(
      (rings) => {
        this.traced.set(rle, rings);
        this.onTraced(uuid);
      },
      // Either the mask is malformed and has no outline, or the worker has crashed and another attempt may succeed.
      () => {
        this.tracing.delete(rle);
        this.failures.set(rle, (this.failures.get(rle) ?? 0) + 1);
      },
    );
    return NOTHING;
  }
}

/** Returns the object that holds an annotation's shape: a different one whenever the shape changes. */
export const sourceOf = ({ rings, rle, bbox }: Annotation): object => rings ?? rle ?? bbox;

/** Returns true if only the shape's box is known, as in COCO files with an absent or empty segmentation. */
export function isBoxOnly({ rings, rle, keypoints, bbox }: Annotation): boolean {
  return rings === null && rle === null && !keypoints?.length && bbox[2] > 0 && bbox[3] > 0;
}
