import type { Annotation } from "../../../shared/entities/annotation";
import type { AnnotatorDocument } from "../document/document";
import type { Layers } from "../document/layers";
import type { Selection } from "../state/selection";

export interface SelectingParts {
  document: AnnotatorDocument;
  layers: Layers;
  selection: Selection;
}

/** Chooses which annotations are selected. */
export class Selecting {
  constructor(private readonly parts: SelectingParts) {}

  /** Returns the selected annotations in the order of the document. */
  get annotations(): Annotation[] {
    const { document, selection } = this.parts;
    const { all } = selection.state;
    if (all.size < 2) return [...all].flatMap((uuid) => document.annotation(uuid) ?? []);
    return [...document.state.annotations.values()].filter(({ uuid }) => all.has(uuid));
  }

  /** Returns the selected annotations that are shown. */
  get visible(): Annotation[] {
    return this.annotations.filter((annotation) => this.parts.layers.isVisible(annotation));
  }

  /** Adds an annotation to the selected ones as the main one, or removes it from them. */
  toggle(uuid: string): void {
    const { document, selection } = this.parts;
    const toggled = document.annotation(uuid);
    if (!toggled) return;
    const others = this.annotations.filter((annotation) => annotation !== toggled);
    if (selection.state.all.has(uuid)) selection.selectAnnotations(others);
    else selection.selectAnnotations([toggled, ...others], toggled);
  }

  /** Selects annotations by uuid; with `adds`, beside those selected before. */
  select(uuids: Iterable<string>, adds = false): void {
    const { document, selection } = this.parts;
    const wanted = new Set([...(adds ? selection.state.all : []), ...uuids]);
    selection.selectAnnotations([...document.state.annotations.values()].filter(({ uuid }) => wanted.has(uuid)));
  }

  /** Selects all visible annotations of the image. */
  selectAll(): void {
    this.selectVisible(() => true);
  }

  /** Selects all visible annotations of the selected category. */
  selectCategory(): void {
    const { category } = this.parts.selection.state;
    if (category !== null) this.selectVisible(({ category_id }) => category_id === category);
  }

  /** Selects the visible annotations that are not selected, instead of those that are. */
  invert(): void {
    const { all } = this.parts.selection.state;
    this.selectVisible(({ uuid }) => !all.has(uuid));
  }

  /** Removes deleted annotations from the selection, and hidden ones if there are several. */
  prune(): void {
    const { document, selection } = this.parts;
    const { all, hovered } = selection.state;
    const kept = all.size > 1 ? this.visible : this.annotations;
    if (kept.length < all.size) selection.selectAnnotations(kept);
    if (hovered !== null && !document.annotation(hovered)) selection.hover(null);
  }

  private selectVisible(isWanted: (annotation: Annotation) => boolean): void {
    const { document, layers, selection } = this.parts;
    const found = [...document.state.annotations.values()].filter(
      (annotation) => isWanted(annotation) && layers.isVisible(annotation),
    );
    selection.selectAnnotations(found);
  }
}
