import type { AnnotatorDocument } from "./document";
import type { Layers } from "./layers";
import { type Row, rowsOf, selectedRow } from "./rows";
import type { Search } from "./search";
import type { Selection } from "./selection";

/** Walks the tree by keys: up and down along its lines, right and left into and out of a category. */
export class Navigation {
  constructor(
    private readonly document: AnnotatorDocument,
    private readonly selection: Selection,
    private readonly layers: Layers,
    private readonly search: Search,
  ) {}

  /** The next or previous line; past the end it begins again. */
  move(by: 1 | -1): void {
    const rows = this.rows();
    if (rows.length === 0) return;
    const at = selectedRow(rows, this.selection.state);
    const next = at < 0 ? (by > 0 ? 0 : rows.length - 1) : (at + by + rows.length) % rows.length;
    this.select(rows[next]!);
  }

  /** Shows and opens the category in hand, and goes to its first annotation. */
  stepIn(): void {
    const { category, annotation } = this.selection.state;
    if (category === null || annotation !== null) return;
    const [first] = this.document.ofCategory(category);
    this.layers.expand(category, true);
    if (first) this.selection.selectAnnotation(first);
  }

  /** From an annotation to its category, then closes the category, then hides it. */
  stepOut(): void {
    const { category, annotation } = this.selection.state;
    if (category === null) return;
    if (annotation !== null) this.selection.selectCategory(category);
    else if (this.layers.state.expanded.has(category)) this.layers.expand(category, false);
    else if (this.layers.state.shown.has(category)) this.layers.toggleCategory(category);
  }

  private rows(): Row[] {
    const { annotation } = this.selection.state;
    const rows = rowsOf(this.document.state, this.layers.state, this.search.state, annotation);
    return rows.filter((row) => row.kind !== "search");
  }

  private select(row: Row): void {
    if (row.kind === "annotation") this.selection.selectAnnotation(row.annotation);
    else this.selection.selectCategory(row.category.id);
  }
}
