import type { AnnotationEdit, Edit } from "../../../../shared/edits/edit";
import type { Subject } from "../../../../shared/edits/fields";
import type { StoredMove } from "../../../../shared/edits/moves/storedMove";
import type { EditOf } from "../../../../shared/edits/subject";
import type { Bbox, Shape } from "../../../../shared/entities/shape";

/**
 * A shape to store in its posted form, with its area and box. The edit's `rings` are the same shape as polygons (null
 * for an RLE). Only edits made by the server have one.
 */
export interface RawShape {
  shape: Shape;
  area: number;
  bbox: Bbox;
  iscrowd: boolean;
}

interface ServerFields {
  rawShape?: RawShape;
  /** A move of the stored shape, which replaces the edit's `rings`. */
  move?: StoredMove;
  /** Flat keypoint triples that have no label in the category. */
  extraKeypoints?: readonly number[];
}

/** An edit made by the server on behalf of a call. */
export type ServerEdit = Edit & ServerFields;
export type ServerEditOf<S extends Subject> = EditOf<S> & ServerFields;
export type ServerAnnotationEdit = AnnotationEdit & ServerFields;
