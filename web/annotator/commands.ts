import { colorFor } from "../../shared/edits/apply";
import type { AnnotationChange, Edit } from "../../shared/edits/edit";
import { creation, deletion, modification } from "../../shared/edits/make";
import type { Annotation } from "../../shared/entities/annotation";
import type { Rings } from "../../shared/entities/shape";
import { uuid } from "../io/uuid";
import type { AnnotatorDocument, SceneCategory } from "./document";
import { categoryEdit } from "./edits";
import type { History } from "./history";
import type { Outlines } from "./outlines";
import type { Selection } from "./selection";

export interface CommandParts {
  document: AnnotatorDocument;
  history: History;
  selection: Selection;
  outlines: Outlines;
  unite: (a: Rings, b: Rings) => Promise<Rings>;
  /** The category that was used last on this dataset, or null. */
  lastCategory: { get: () => number | null; set: (id: number) => void };
}

/** What the person can do to the document. Each command is one undo step. */
export class Commands {
  /** Unions are made one after another, each on what the one before has left. */
  private queue: Promise<void> = Promise.resolve();

  constructor(private readonly parts: CommandParts) {}

  /** Where a new annotation would go: the selected category, else the one used last, else the first. */
  categoryForNew(): SceneCategory | null {
    const { document, selection, lastCategory } = this.parts;
    return (
      document.category(selection.state.category) ??
      document.category(lastCategory.get()) ??
      document.state.categories[0] ??
      null
    );
  }

  /** Makes an annotation and selects it. Null where there is no category. */
  create(categoryId: number | undefined = this.categoryForNew()?.id, shape: AnnotationChange = {}): string | null {
    const { document, history, selection, lastCategory } = this.parts;
    if (categoryId === undefined) return null;
    const target = uuid();
    const fields: AnnotationChange = {
      category_id: categoryId,
      rings: [],
      isbbox: false,
      color: colorFor(target),
      metadata: { ...document.state.dataset.default_annotation_metadata },
      keypoints: null,
      ...shape,
    };
    history.gesture({ name: "Annotation", action: "Create" }, () =>
      document.apply([creation(uuid(), document.state.image.id, target, fields)], "local"),
    );
    lastCategory.set(categoryId);
    selection.selectAnnotation({ uuid: target, category_id: categoryId });
    return target;
  }

  /** The selection moves to the annotation before it in the category. */
  delete(target: string): void {
    const { document, selection } = this.parts;
    const annotation = document.annotation(target);
    if (!annotation) return;
    const siblings = document.ofCategory(annotation.category_id);
    const at = siblings.findIndex((sibling) => sibling.uuid === target);
    this.step(annotation, "Delete", deletion(uuid(), annotation));
    if (selection.state.annotation === target) selection.selectAnnotation(siblings[at - 1] ?? siblings[at + 1] ?? null);
  }

  modify(target: string, change: AnnotationChange, action: string): void {
    const annotation = this.parts.document.annotation(target);
    const edit = annotation && modification(uuid(), annotation, change);
    if (edit) this.step(annotation, action, edit);
  }

  /** Gives an annotation a new shape. */
  reshape(target: string, rings: Rings, isbbox: boolean, action: string): void {
    this.modify(target, { rings, isbbox }, action);
  }

  /** The name that lists show; an empty one takes it away. */
  rename(target: string, name: string): void {
    const annotation = this.parts.document.annotation(target);
    if (!annotation) return;
    const { name: _, ...metadata } = annotation.metadata;
    this.modify(target, { metadata: name.trim() === "" ? metadata : { ...metadata, name: name.trim() } }, "Rename");
  }

  changeCategory(categoryId: number, after: Parameters<typeof categoryEdit>[2]): void {
    const { document, history } = this.parts;
    const category = document.category(categoryId);
    if (!category) return;
    const edit = categoryEdit(category, document.state.image.id, after);
    history.gesture({ name: `Category ${category.name}`, action: "Change" }, () => document.apply([edit], "local"));
  }

  /** Where a drawn shape goes: into an annotation, else into a new one of the category; without category nowhere. */
  destination(kind: "polygon" | "bbox"): { annotation: Annotation | null; category: SceneCategory | null } {
    const hand = this.inHand();
    const takes = hand && (kind === "polygon" || this.isEmpty(hand));
    const category = hand ? this.parts.document.category(hand.category_id) : this.categoryForNew();
    return { annotation: takes ? hand : null, category };
  }

  /** A box takes an annotation without shape, or makes one of the same category. */
  drawBox(rings: Rings): void {
    const hand = this.inHand();
    if (hand && this.isEmpty(hand)) this.reshape(hand.uuid, rings, true, "Unite");
    else this.create(hand?.category_id, { rings, isbbox: true });
  }

  /** A polygon is united into the annotation in hand, or makes one. */
  drawPolygon(rings: Rings): Promise<void> {
    const hand = this.inHand();
    if (!hand) this.create(undefined, { rings });
    else if (this.isEmpty(hand)) this.reshape(hand.uuid, rings, false, "Unite");
    else this.queue = this.queue.then(() => this.uniteInto(hand.uuid, rings));
    return this.queue;
  }

  /** When the shape changes while the union is computed, it is computed again. */
  private async uniteInto(target: string, rings: Rings): Promise<void> {
    const { document, outlines, unite } = this.parts;
    for (;;) {
      const before = document.annotation(target);
      if (!before) return;
      const united = await unite(outlines.of(before), rings);
      if (document.annotation(target)?.rings !== before.rings) continue;
      return this.reshape(target, united, false, "Unite");
    }
  }

  private inHand(): Annotation | null {
    return this.parts.document.annotation(this.parts.selection.state.annotation);
  }

  private isEmpty(annotation: Annotation): boolean {
    return !annotation.rle && this.parts.outlines.of(annotation).length === 0;
  }

  private step(annotation: Annotation, action: string, edit: Edit): void {
    const { document, history } = this.parts;
    const name = `Annotation ${annotation.id ?? ""}`.trim();
    history.gesture({ name, action }, () => document.apply([edit], "local"));
  }
}
