import type { CheckedAnnotation, CheckedImage } from "../../../../shared/quality/checkedImage";
import type { Finding } from "../../../../shared/quality/finding";
import type { CategoryLine, RowsCompared } from "./compare/rowsCompared";

/** An annotation whose shape is still text, so that the thread parses it. */
export type UnparsedAnnotation = Omit<CheckedAnnotation, "shape"> & { shape: string | null };
export type UnparsedImage = Omit<CheckedImage, "annotations"> & { annotations: UnparsedAnnotation[] };

/**
 * Requests to the thread of the quality check: to check images by themselves; to begin a comparison, forgetting an
 * earlier one; to add rows to it, page by page; to compare all of them; to return more of what was found, an empty list
 * at the end.
 */
export type CheckQuestion =
  | { images: UnparsedImage[] }
  | { begin: keyof RowsCompared; categories: CategoryLine[] }
  | { add: RowsCompared[keyof RowsCompared][] }
  | { compare: true }
  | { more: true };
export type CheckAnswer = Finding[];
