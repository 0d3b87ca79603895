import type { AnnotationEdit, Edit } from "../../../shared/edits/edit";
import { creation, deletion, fieldsOfAnnotation } from "../../../shared/edits/make";
import { same } from "../../../shared/edits/same";
import type { Annotation } from "../../../shared/entities/annotation";
import { uuid } from "../../io/uuid";
import type { AnnotatorDocument } from "../document/document";

/**
 * Holds back edits that create empty annotations, which tools need before the first shape is drawn. A creation is
 * recorded together with the first edit that gives the annotation content; an annotation that stays empty never leaves
 * this page. If an annotation becomes empty again, because its first shape is undone, its deletion is recorded, and
 * another creation when it gets another shape.
 */
export class HeldCreations {
  /** The edits of annotations that are still empty, by the annotation's uuid. */
  private readonly held = new Map<string, AnnotationEdit[]>();
  /** The recorded creations of annotations that were created empty, by the annotation's uuid. */
  private readonly recorded = new Map<string, AnnotationEdit>();

  constructor(private readonly document: Pick<AnnotatorDocument, "state" | "annotation" | "addSilentEdit">) {}

  /** Returns true if an edit is held back. */
  has(edit: Edit): boolean {
    return edit.subject === "annotation" && (this.held.get(edit.target)?.includes(edit) ?? false);
  }

  /**
   * Returns the edits to record now: the given edits, which the document has applied, except those that are held back,
   * and earlier edits that need no longer be held back.
   */
  release(edits: readonly Edit[]): Edit[] {
    return edits.flatMap((edit) => (edit.subject === "annotation" ? this.releaseOne(edit) : [edit]));
  }

  private releaseOne(edit: AnnotationEdit): Edit[] {
    const earlier = this.held.get(edit.target);
    if (earlier) return this.releaseHeld(edit, earlier);
    if (this.isEmptyCreation(edit)) this.held.set(edit.target, [edit]);
    else return [this.isEmptied(edit) ? this.withdraw(edit) : edit];
    return [];
  }

  private releaseHeld(edit: AnnotationEdit, earlier: AnnotationEdit[]): Edit[] {
    if (edit.action === "modify" && (isCategoryChange(edit) || this.isEmptied(edit))) {
      this.held.set(edit.target, [...earlier, edit]);
      return [];
    }
    this.held.delete(edit.target);
    const [created, ...later] = earlier;
    if (edit.action === "delete" || !created) return [];
    if (!this.recorded.has(edit.target)) this.recorded.set(edit.target, created);
    // The base is that of the new edit, because the server may have stored the deletion since.
    return [{ ...created, base: edit.base }, ...later, edit];
  }

  /** Returns the deletion to record instead of an edit that empties an annotation, and holds its creation back. */
  private withdraw(edit: AnnotationEdit): AnnotationEdit {
    const annotation = this.document.annotation(edit.target);
    if (!annotation) return edit;
    const created = creation(uuid(), edit.image_id, edit.target, fieldsOfAnnotation(annotation));
    this.held.set(edit.target, [created]);
    this.document.addSilentEdit(created);
    const deleted = deletion(edit.uuid, annotation);
    return { ...deleted, base: edit.base, before: { ...deleted.before, ...edit.before } };
  }

  /**
   * Returns true for an edit that creates an annotation without content. An edit that restores an annotation not
   * created on this page is not such an edit.
   */
  private isEmptyCreation({ action, base, after, target }: AnnotationEdit): boolean {
    if (action !== "create" || (base !== 0 && !this.recorded.has(target))) return false;
    const isBlank = after.rings?.length === 0 && !after.keypoints?.length && !after.isbbox;
    return isBlank && same(after.metadata ?? {}, this.document.state.dataset.default_annotation_metadata);
  }

  /** Returns true if a change leaves an annotation as empty as when it was created on this page. */
  private isEmptied({ action, target }: AnnotationEdit): boolean {
    const created = this.recorded.get(target);
    const now = this.document.annotation(target);
    return action === "modify" && !!created && !!now && isAsCreated(now, created);
  }
}

/** Returns true for a change of only the category or the attributes, which have no meaning without a shape. */
const isCategoryChange = ({ action, after }: AnnotationEdit): boolean =>
  action === "modify" && Object.keys(after).every(isNothingAlone);

const isNothingAlone = (field: string): boolean => field === "category_id" || field === "attributes";

function isAsCreated(now: Annotation, { after }: AnnotationEdit): boolean {
  return Object.entries(after).every(([field, value]) => {
    if (field === "keypoints") return !now.keypoints?.length;
    return isNothingAlone(field) || same(Reflect.get(now, field), value);
  });
}
