import type { Edit } from "../../../../shared/edits/edit";
import type { AnnotationRow } from "../../../db/schema";

/** Error for a use of a shape that was not read. The batch is then planned again with all shapes. */
export class ShapeNotRead extends Error {
  override name = "ShapeNotRead";
}

/** Returns a row whose `shape` throws ShapeNotRead. */
export function withUnreadShape(row: Omit<AnnotationRow, "shape">): AnnotationRow {
  return Object.defineProperty({ ...row }, "shape", {
    get: () => {
      throw new ShapeNotRead(`The shape of annotation ${row.uuid} was not read.`);
    },
  }) as AnnotationRow;
}

const SHAPELESS = new Set(["category_id", "color", "metadata", "attributes"]);

/**
 * Returns true if an edit can usually be planned without the annotation's shape. Thousands of annotations are often
 * labelled or coloured together, and reading their outlines would take longer than storing the edits.
 */
export function leavesShape(edit: Edit): boolean {
  if (edit.subject !== "annotation" || "rawShape" in edit || "move" in edit || "extraKeypoints" in edit) return false;
  return (
    edit.action === "modify" && [edit.before, edit.after].every((change) => Object.keys(change).every(isShapeless))
  );
}

const isShapeless = (key: string): boolean => SHAPELESS.has(key);
