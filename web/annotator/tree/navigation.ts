import type { Annotation } from "../../../shared/entities/annotation";
import type { AnnotatorDocument } from "../document/document";
import type { Layers } from "../document/layers";
import { inListOrder, type ListOrder } from "../state/listOrder";
import type { Search } from "../state/search";
import type { Selection } from "../state/selection";
import { isFound, type Row, rowsOf, selectedRow } from "./rows";

/**
 * Moves the selection through the tree by keys. Right and left move into and out of a category, an annotation, its
 * keypoints. Up and down move along the visible rows, from the last keypoint to the next annotation, and from the last
 * annotation to the next category.
 */
export class Navigation {
  constructor(
    private readonly document: AnnotatorDocument,
    private readonly selection: Selection,
    private readonly layers: Layers,
    private readonly search: Search,
    /** Returns the order of the annotations in their category. */
    private readonly order: () => ListOrder,
  ) {}

  /** Selects the next or previous row; wraps around at the ends. */
  move(by: 1 | -1): void {
    const rows = this.rows();
    if (rows.length === 0) return;
    const at = selectedRow(rows, this.selection.state);
    const next = at < 0 ? (by > 0 ? 0 : rows.length - 1) : (at + by + rows.length) % rows.length;
    this.select(rows[next]!);
  }

  /**
   * Selects the next or previous visible annotation in the tree's order, whatever the tree has expanded; wraps around.
   * Returns its uuid, or null if none is visible.
   */
  walk(by: 1 | -1): string | null {
    const { categories } = this.document.state;
    const all = categories.flatMap(({ id }) => this.listed(id)).filter((each) => this.layers.isVisible(each));
    const { annotation, category } = this.selection.state;
    const at = all.findIndex(({ uuid }) => uuid === annotation);
    const first = all.findIndex(({ category_id }) => category_id === category);
    const from = at >= 0 ? at : by > 0 ? Math.max(first, 0) - 1 : Math.max(first, 0);
    const next = all[(from + by + all.length) % all.length];
    if (!next) return null;
    this.selection.selectAnnotation(next);
    return next.uuid;
  }

  /**
   * Selects the first search result, unless the selected row is one of them, and ends the search. Returns false if
   * nothing was found.
   */
  selectFound(): boolean {
    const found = this.rows().filter((row) => isFound(row, this.document.state, this.search.state));
    if (!found[0]) return false;
    if (selectedRow(found, this.selection.state) < 0) this.select(found[0]);
    const annotation = this.document.annotation(this.selection.state.annotation);
    if (annotation) this.layers.expand(annotation.category_id, true);
    this.search.find("");
    return true;
  }

  /**
   * Selects the visible annotations from the main one to another one, in the order of the tree; with `adds`, in
   * addition to those selected before.
   */
  selectTo(uuid: string, adds = false): void {
    const rows = this.rows().flatMap((row) => (row.kind === "annotation" ? [row.annotation] : []));
    const to = rows.findIndex((annotation) => annotation.uuid === uuid);
    const from = rows.findIndex((annotation) => annotation.uuid === this.selection.state.annotation);
    if (to < 0) return;
    const range = from < 0 ? [rows[to]!] : rows.slice(Math.min(from, to), Math.max(from, to) + 1);
    const seen = range.filter((annotation) => range.length === 1 || this.layers.isVisible(annotation));
    const before = adds ? [...this.selection.state.all].flatMap((each) => this.document.annotation(each) ?? []) : [];
    this.selection.selectAnnotations([...before, ...seen]);
  }

  /** Expands the selected category and selects its first annotation, or selects the first keypoint of an annotation. */
  stepIn(): void {
    const { category, annotation } = this.selection.state;
    if (annotation !== null) this.stepIntoKeypoints();
    if (category === null || annotation !== null) return;
    const [first] = this.listed(category);
    this.layers.expand(category, true);
    if (first) this.selection.selectAnnotation(first);
  }

  /** Moves from a keypoint to its annotation, then to its category; then collapses the category, then hides it. */
  stepOut(): void {
    const { category, annotation, keypoint } = this.selection.state;
    if (category === null) return;
    if (keypoint !== null) this.leaveKeypoints();
    else if (annotation !== null) this.selection.selectCategory(category);
    else if (this.layers.state.expanded.has(category)) this.layers.expand(category, false);
    else if (this.layers.state.shown.has(category)) this.layers.toggleCategory(category);
  }

  private stepIntoKeypoints(): void {
    const { annotation: uuid, keypoint } = this.selection.state;
    const annotation = this.document.annotation(uuid);
    const [first] = this.document.category(annotation?.category_id ?? null)?.keypoint_label_ids ?? [];
    if (!annotation || first === undefined || keypoint !== null) return;
    this.layers.expand(annotation.category_id, true);
    this.layers.listKeypoints(true);
    this.selection.selectKeypoint(first);
  }

  private leaveKeypoints(): void {
    this.selection.selectKeypoint(null);
    this.layers.listKeypoints(false);
  }

  /** Returns a category's annotations in the order of the list. */
  private listed(category: number): Annotation[] {
    const rows = this.document.ofCategory(category).map((annotation) => ({ annotation }));
    return inListOrder(rows, this.order()).map(({ annotation }) => annotation);
  }

  private rows(): Row[] {
    const { annotation, category, keypoint } = this.selection.state;
    const selected = { annotation, category };
    const rows = rowsOf(this.document.state, this.layers.state, this.search.state, selected, this.order());
    return rows.filter(({ kind }) => kind !== "others" && (kind !== "keypoint" || keypoint !== null));
  }

  private select(row: Row): void {
    if (row.kind === "keypoint") this.selection.selectKeypoint(row.label.id);
    else if (row.kind === "annotation") this.selection.selectAnnotation(row.annotation);
    else if (row.kind === "category") this.selection.selectCategory(row.category.id);
  }
}
