import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyEdit } from "../../../shared/edits/apply";
import type { AnnotationEdit } from "../../../shared/edits/edit";
import { inverseEdit } from "../../../shared/edits/inverse";
import { creation, deletion, fieldsOfAnnotation, modification } from "../../../shared/edits/make";
import { arbitraryAnnotation, arbitraryChange } from "./arbitraries";

const EDIT = "00000000-0000-4000-8000-000000000001";
const UNDO = "00000000-0000-4000-8000-000000000002";
const undo = (edit: AnnotationEdit) => inverseEdit(edit, 9, UNDO) as AnnotationEdit;

describe("the inverse of an edit", () => {
  test("reverts any modification", () => {
    fc.assert(
      fc.property(arbitraryAnnotation, arbitraryChange, (annotation, change) => {
        const edit = modification(EDIT, annotation, change);
        if (!edit) return;
        const changed = applyEdit(annotation, edit);
        expect(changed).toMatchObject(change);
        expect(applyEdit(changed, undo(edit))).toEqual(annotation);
      }),
    );
  });

  test("restores a deleted annotation, including its mask", () => {
    fc.assert(
      fc.property(arbitraryAnnotation, (annotation) => {
        const edit = deletion(EDIT, annotation);
        expect(applyEdit(annotation, edit)).toBeUndefined();
        expect(applyEdit(undefined, undo(edit), annotation)).toEqual(annotation);
        expect(applyEdit(undefined, undo(edit))).toMatchObject(fieldsOfAnnotation(annotation));
      }),
    );
  });

  test("deletes a created annotation, and its own inverse creates it again, on its own base", () => {
    fc.assert(
      fc.property(arbitraryAnnotation, (annotation) => {
        const edit = creation(EDIT, annotation.image_id, annotation.uuid, fieldsOfAnnotation(annotation));
        const made = applyEdit(undefined, edit);
        expect(applyEdit(made, undo(edit))).toBeUndefined();
        const again = applyEdit(undefined, inverseEdit(undo(edit), 10, EDIT) as AnnotationEdit);
        expect(again).toEqual({ ...made, revision: 10 });
      }),
    );
  });

  test("the inverse is based on the newest revision, with its own uuid", () => {
    const edit = creation(EDIT, 7, EDIT, { category_id: 1 });
    expect(undo(edit)).toMatchObject({ uuid: UNDO, base: 9, action: "delete", target: EDIT, image_id: 7 });
    const labels = { uuid: EDIT, image_id: 7, base: 1, subject: "image", action: "modify" } as const;
    expect(inverseEdit({ ...labels, before: { labels: [] }, after: { labels: [1] } }, 4, UNDO)).toEqual({
      ...labels,
      uuid: UNDO,
      base: 4,
      before: { labels: [1] },
      after: { labels: [] },
    });
  });

  test("the inverse of a modification to the current values is empty", () => {
    fc.assert(
      fc.property(arbitraryAnnotation, (annotation) => {
        expect(modification(EDIT, annotation, structuredClone(fieldsOfAnnotation(annotation)))).toBeUndefined();
      }),
    );
  });
});
