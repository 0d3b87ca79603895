import { t } from "@lingui/core/macro";
import { colorFor } from "../../../shared/edits/apply";
import type { AnnotationChange, AnnotationEdit, Edit, ImageEdit } from "../../../shared/edits/edit";
import { creation, deletion, modification } from "../../../shared/edits/make";
import { same } from "../../../shared/edits/same";
import type { Annotation } from "../../../shared/entities/annotation";
import type { Keypoint } from "../../../shared/entities/keypoint";
import type { Rings } from "../../../shared/entities/shape";
import { defaultAttributes } from "../../../shared/rules/attributeValues";
import { uuid } from "../../io/uuid";
import type { Selection } from "../state/selection";
import type { AnnotatorDocument, SceneCategory } from "./document";
import { categoryEdit, imageEdit } from "./edits";
import type { History, StepName } from "./history";
import { stepNameOf } from "./stepNames";

export interface CommandParts {
  document: AnnotatorDocument;
  history: History;
  selection: Selection;
  /**
   * Access to the ids of the categories last used in this dataset. `get`: the last one, or null. `recent`: the latest
   * first.
   */
  lastCategory: { get: () => number | null; recent: () => number[]; set: (id: number) => void };
}

/** The user's commands on the document. Each is one undo step. */
export class Commands {
  constructor(private readonly parts: CommandParts) {}

  /** Returns the category of a new annotation: the selected one, otherwise the one used last, otherwise the first. */
  categoryForNew(): SceneCategory | null {
    const { document, selection } = this.parts;
    return document.category(selection.state.category) ?? this.lastCategory() ?? document.state.categories[0] ?? null;
  }

  /**
   * Returns the id of the category that the user has selected, otherwise of the one used last; it may no longer be in
   * the document.
   */
  chosenCategory(): number | null {
    return this.parts.selection.state.category ?? this.parts.lastCategory.get();
  }

  /** Returns the category that was last used for a new annotation in this dataset, or last chosen by the user. */
  lastCategory(): SceneCategory | null {
    return this.parts.document.category(this.parts.lastCategory.get());
  }

  /** Returns the ids of the categories that were recently used in this dataset, the latest first. */
  recentCategories(): number[] {
    return this.parts.lastCategory.recent();
  }

  rememberCategory(id: number): void {
    this.parts.lastCategory.set(id);
  }

  /** Creates an annotation, selects it if wanted, and returns its uuid. Returns null if there is no category. */
  create(
    categoryId: number | undefined = this.categoryForNew()?.id,
    shape: AnnotationChange = {},
    selects = true,
  ): string | null {
    const { document, history, selection, lastCategory } = this.parts;
    if (categoryId === undefined) return null;
    const target = uuid();
    const fields: AnnotationChange = {
      category_id: categoryId,
      rings: [],
      isbbox: false,
      color: colorFor(target),
      metadata: { ...document.state.dataset.default_annotation_metadata },
      attributes: defaultAttributes(document.category(categoryId)?.attributes),
      keypoints: null,
      ...shape,
    };
    history.gesture({ name: t`Annotation`, action: t`Create` }, () =>
      document.apply([creation(uuid(), document.state.image.id, target, fields)], "local"),
    );
    lastCategory.set(categoryId);
    if (selects) selection.selectAnnotation({ uuid: target, category_id: categoryId });
    return target;
  }

  /** Deletes an annotation, without selecting another one. */
  delete(target: string): void {
    const annotation = this.parts.document.annotation(target);
    if (annotation) this.step(annotation, "Delete", deletion(uuid(), annotation));
  }

  /**
   * Changes fields of an annotation. `seen`: the annotation as the user saw it; fields that another user has changed
   * since become a conflict.
   */
  modify(target: string, change: AnnotationChange, action: string, seen?: Annotation): void {
    const annotation = this.parts.document.annotation(target);
    const edit = annotation && modification(uuid(), seen ?? annotation, change);
    if (edit) this.step(annotation, action, edit);
  }

  /** Applies edits of annotations as one undo step. Adds no step if there are no edits. */
  applyAll(edits: readonly AnnotationEdit[], action: string): void {
    const { document, history } = this.parts;
    const name = stepNameOf(edits.map(({ target }) => document.annotation(target) ?? { id: null }));
    history.gesture({ name, action }, () => document.apply(edits, "local"));
  }

  /**
   * Gives an annotation a new shape. `rings` null restores a stored shape that is not made of rings, such as a mask.
   * `seen`: see `modify`.
   */
  reshape(target: string, rings: Rings | null, isbbox: boolean, action: string, seen?: Annotation): void {
    this.modify(target, { rings, isbbox }, action, seen);
  }

  /** Sets the name shown in lists; an empty name removes it. */
  rename(target: string, name: string): void {
    const annotation = this.parts.document.annotation(target);
    if (!annotation) return;
    const { name: _, ...metadata } = annotation.metadata;
    this.modify(target, { metadata: name.trim() === "" ? metadata : { ...metadata, name: name.trim() } }, t`Rename`);
  }

  /** Sets an annotation's keypoints. An annotation left without keypoints and shape is deleted in the same step. */
  setKeypoints(target: string, keypoints: Keypoint[], action: string): void {
    const annotation = this.parts.document.annotation(target);
    if (!annotation) return;
    const { rings, rle } = annotation;
    if (keypoints.length > 0 || rings?.length || rle) this.modify(target, { keypoints }, action);
    else this.step(annotation, action, deletion(uuid(), annotation));
  }

  changeCategory(categoryId: number, after: Parameters<typeof categoryEdit>[2], action = t`Change`): void {
    const { document, history } = this.parts;
    const category = document.category(categoryId);
    if (!category) return;
    const edit = categoryEdit(category, document.state.image.id, after);
    history.gesture({ name: t`Category ${{ name: category.name }}`, action }, () => document.apply([edit], "local"));
  }

  /** Sets the image's ticked labels, metadata or stage. Adds no undo step if nothing changes. */
  changeImage(after: ImageEdit["after"], step: StepName): void {
    const { document, history } = this.parts;
    const { image } = document.state;
    const isSame = Object.entries(after).every(([field, value]) => same(value, Reflect.get(image, field)));
    if (!isSame) history.gesture(step, () => document.apply([imageEdit(image, after)], "local"));
  }

  /** Removes an annotation's shape; deletes the annotation if it has no keypoints. Selects no other annotation. */
  clearShape(target: string, action: string): void {
    const annotation = this.parts.document.annotation(target);
    if (!annotation) return;
    if (annotation.keypoints?.length) this.reshape(target, [], false, action);
    else this.step(annotation, action, deletion(uuid(), annotation));
  }

  private step(annotation: Annotation, action: string, edit: Edit): void {
    const { document, history } = this.parts;
    history.gesture({ name: stepNameOf([annotation]), action }, () => document.apply([edit], "local"));
  }
}
