import type { ComparedAnnotation } from "../../../../shared/agreement/compared";
import type { Comparison } from "../../../../shared/agreement/figures";
import type { MergedShape } from "../../../../shared/agreement/mergeObject";
import type { MergedObject } from "../../../../shared/api/datasets/consensus";
import type { Size } from "../../../../shared/entities/image";
import type { Rings } from "../../../../shared/entities/shape";

/** An annotation whose shape is still text, so that the thread parses it. */
export type UnparsedAnnotation = Omit<ComparedAnnotation, "shape"> & {
  id: number;
  image_id: number;
  shape: string | null;
};

/** An image of one annotator. Size in pixels. */
export interface UnparsedImage extends Size {
  annotations: UnparsedAnnotation[];
}

/** An object to write into an image: the annotations that are it. */
export interface UnparsedObject {
  how: MergedObject["how"];
  annotations: UnparsedAnnotation[];
}

/** Objects as places of annotations in the lists of images, with the mean overlap of each; and the outlines to show. */
export interface Grouped {
  objects: { annotations: { image: number; at: number }[]; overlap: number | null }[];
  rings: Rings[][];
}

/** Requests to the thread that compares annotations, and its responses. */
export type Question =
  | { what: "compare"; pairs: { a: UnparsedImage; b: UnparsedImage }[] }
  | { what: "group"; images: UnparsedImage[] }
  | { what: "merge"; objects: UnparsedObject[]; size: Size };
export type Answer = Comparison[] | Grouped | MergedShape[];
