import { t } from "@lingui/core/macro";
import type { Annotation } from "../../../shared/entities/annotation";
import { groupOf } from "../../../shared/rules/stacking";
import type { AnnotatorDocument } from "../document/document";
import type { Layers } from "../document/layers";
import type { Locks } from "../document/locks";
import type { Selection } from "../state/selection";
import type { Ui } from "../state/ui";

export interface SelectingParts {
  document: AnnotatorDocument;
  layers: Layers;
  locks: Locks;
  selection: Selection;
  ui: Ui;
}

/** Changes which annotations are selected. */
export class Selecting {
  constructor(private readonly parts: SelectingParts) {}

  /** Returns the selected annotations in the order of the document. */
  get annotations(): Annotation[] {
    const { document, selection } = this.parts;
    const { all } = selection.state;
    if (all.size < 2) return [...all].flatMap((uuid) => document.annotation(uuid) ?? []);
    return [...document.state.annotations.values()].filter(({ uuid }) => all.has(uuid));
  }

  /** Returns the annotation that tools act on; null if none is selected. */
  get main(): Annotation | null {
    return this.parts.document.annotation(this.parts.selection.state.annotation);
  }

  /** Returns the selected annotations that are shown. */
  get visible(): Annotation[] {
    return this.visibleOf(this.annotations);
  }

  /** Returns the selected annotations that are not locked. */
  get changeable(): Annotation[] {
    return this.changeableOf(this.annotations);
  }

  /** Returns those of the annotations that are shown. */
  visibleOf(annotations: readonly Annotation[]): Annotation[] {
    return annotations.filter((annotation) => this.parts.layers.isVisible(annotation));
  }

  /** Returns those of the annotations that are not locked. */
  changeableOf(annotations: readonly Annotation[]): Annotation[] {
    return annotations.filter(({ uuid }) => !this.parts.locks.isLocked(uuid));
  }

  /**
   * Remembers which annotations are selected, for a command that waits for pending gestures: the user may select others
   * before it runs. The returned function returns those that still exist, as they are when it is called.
   */
  remember(): () => Annotation[] {
    const uuids = this.annotations.map(({ uuid }) => uuid);
    return () => uuids.flatMap((uuid) => this.parts.document.annotation(uuid) ?? []);
  }

  /** Returns an annotation with the others of its group that are visible and not locked. */
  groupOf(annotation: Annotation): Annotation[] {
    const group = groupOf(annotation);
    if (group === null) return [annotation];
    const found = this.inGroups(new Set([group]));
    return found.includes(annotation) ? found : [annotation, ...found];
  }

  /** Returns the annotations in these groups that are visible and not locked. */
  private inGroups(groups: ReadonlySet<number>): Annotation[] {
    const { document, layers, locks } = this.parts;
    const isIn = (each: Annotation) => groups.has(groupOf(each) ?? 0);
    return [...document.state.annotations.values()].filter(
      (each) => isIn(each) && layers.isVisible(each) && !locks.isLocked(each.uuid),
    );
  }

  /**
   * Selects an annotation with its group; if exactly that group is already selected, selects the annotation alone. Null
   * selects none.
   */
  pick(uuid: string | null): void {
    const { document, selection } = this.parts;
    const picked = document.annotation(uuid);
    const group = picked ? this.groupOf(picked) : [];
    const { all } = selection.state;
    const isSelected = group.length > 1 && group.length === all.size && group.every((each) => all.has(each.uuid));
    if (!picked || isSelected) selection.selectAnnotation(picked);
    else selection.selectAnnotations(group, picked);
  }

  /**
   * Selects an annotation, as the main one, and its group in addition to the others; deselects them if it is already
   * selected.
   */
  toggle(uuid: string): void {
    const { document, selection } = this.parts;
    const toggled = document.annotation(uuid);
    if (!toggled) return;
    const group = new Set(this.groupOf(toggled));
    const others = this.annotations.filter((annotation) => !group.has(annotation));
    if (selection.state.all.has(uuid)) selection.selectAnnotations(others);
    else selection.selectAnnotations([...group, ...others], toggled);
  }

  /**
   * Selects the visible annotations of a category that are not locked, in addition to the others; deselects them if all
   * of them are selected.
   */
  toggleCategory(categoryId: number): void {
    const { document, layers, locks, selection } = this.parts;
    const { all } = selection.state;
    const found = [...document.state.annotations.values()].filter(
      (each) => each.category_id === categoryId && layers.isVisible(each) && !locks.isLocked(each.uuid),
    );
    if (found.length === 0) return;
    const others = this.annotations.filter(({ category_id }) => category_id !== categoryId);
    const isSelected = found.every(({ uuid }) => all.has(uuid));
    selection.selectAnnotations(isSelected ? others : [...others, ...found]);
  }

  /** Selects annotations by uuid, with their groups; with `adds`, in addition to those selected before. */
  select(uuids: Iterable<string>, adds = false): void {
    const { document, selection } = this.parts;
    const found = [...uuids];
    const groups = new Set(found.flatMap((uuid) => groupOf(document.annotation(uuid) ?? {}) ?? []));
    const grouped = groups.size > 0 ? this.inGroups(groups).map(({ uuid }) => uuid) : [];
    const wanted = new Set([...(adds ? selection.state.all : []), ...found, ...grouped]);
    selection.selectAnnotations([...document.state.annotations.values()].filter(({ uuid }) => wanted.has(uuid)));
  }

  /** Selects all visible annotations of the image that are not locked. */
  selectAll(): void {
    this.selectVisible(() => true);
  }

  /** Selects all visible annotations of the selected category that are not locked. */
  selectCategory(): void {
    const { selection, ui } = this.parts;
    const { category } = selection.state;
    if (category === null) ui.showMessage(t`Select a category or an annotation first`);
    else this.selectVisible(({ category_id }) => category_id === category);
  }

  /** Selects the visible, unlocked annotations that were not selected, and deselects all others. */
  invert(): void {
    const { all } = this.parts.selection.state;
    this.selectVisible(({ uuid }) => !all.has(uuid));
  }

  /** Removes deleted annotations from the selection, and hidden ones if several are selected. */
  prune(): void {
    const { document, selection } = this.parts;
    const { all, hovered } = selection.state;
    const kept = all.size > 1 ? this.visible : this.annotations;
    if (kept.length < all.size) selection.selectAnnotations(kept);
    if (hovered !== null && !document.annotation(hovered)) selection.hover(null);
  }

  private selectVisible(isWanted: (annotation: Annotation) => boolean): void {
    const { document, layers, locks, selection, ui } = this.parts;
    const found = [...document.state.annotations.values()].filter(
      (annotation) => isWanted(annotation) && layers.isVisible(annotation) && !locks.isLocked(annotation.uuid),
    );
    if (found.length === 0 && selection.state.all.size === 0) ui.showMessage(t`No annotation is visible and unlocked`);
    selection.selectAnnotations(found);
  }
}
