import type { AnnotationEdit, Edit } from "../../../shared/edits/edit";
import { same } from "../../../shared/edits/same";
import type { Metadata } from "../../../shared/entities/scalars";

/**
 * Holds back edits that create empty annotations, which tools need before the first shape is drawn. An annotation is
 * created for good together with the first edit that gives it something; one that stays empty never leaves this page.
 */
export class HeldCreations {
  /** The edits of annotations that are still empty, by the annotation's uuid. */
  private readonly held = new Map<string, AnnotationEdit[]>();

  /** `defaults`: the metadata of new annotations. */
  constructor(private readonly defaults: Metadata) {}

  /** Returns true if an edit is held back. */
  has(edit: Edit): boolean {
    return edit.subject === "annotation" && (this.held.get(edit.target)?.includes(edit) ?? false);
  }

  /** Returns the edits to record now: the given ones without those held back, and those held back until now. */
  release(edits: readonly Edit[]): Edit[] {
    return edits.flatMap((edit) => (edit.subject === "annotation" ? this.releaseOne(edit) : [edit]));
  }

  private releaseOne(edit: AnnotationEdit): Edit[] {
    const earlier = this.held.get(edit.target);
    if (!earlier && !this.isEmptyCreation(edit)) return [edit];
    const isEmptyStill = !earlier || isCategoryChange(edit);
    if (isEmptyStill) this.held.set(edit.target, [...(earlier ?? []), edit]);
    else this.held.delete(edit.target);
    if (isEmptyStill || edit.action === "delete") return [];
    return [...(earlier ?? []), edit];
  }

  /** Returns true for an edit that creates an annotation without any content. One that the server knows has a base. */
  private isEmptyCreation({ action, base, after }: AnnotationEdit): boolean {
    const isBlank = after.rings?.length === 0 && !after.keypoints?.length && !after.isbbox;
    return action === "create" && base === 0 && isBlank && same(after.metadata ?? {}, this.defaults);
  }
}

/** Returns true for a change of the category, and of the attributes, which are nothing without a shape. */
const isCategoryChange = ({ action, after }: AnnotationEdit): boolean =>
  action === "modify" && Object.keys(after).every((field) => field === "category_id" || field === "attributes");
