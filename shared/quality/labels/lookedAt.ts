import type { Size } from "../../entities/image";
import type { Bbox } from "../../entities/shape";

/** An annotation that DEXTR has looked at. */
export interface LookedAt {
  id: number;
  revision: number;
  image: number;
  category: number;
  /** In image pixels. */
  bbox: Bbox;
  area: number;
  frame: Size;
  /**
   * Intersection over union of the annotation and of DEXTR's own outline of it; null for an annotation that is only a
   * box.
   */
  overlap: number | null;
  /** Appearance; undefined if the network has no such layer. */
  features: ArrayLike<number> | undefined;
}
