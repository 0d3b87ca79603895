import type { Annotation } from "../../shared/entities/annotation";
import type { DocumentState, SceneCategory } from "./document";
import type { LayersState } from "./layers";
import type { SelectionState } from "./selection";

/** A line of the tree: a category, or an annotation of an expanded one. */
export type Row =
  | { kind: "category"; category: SceneCategory; count: number }
  /** `number` counts from 1 within the category. */
  | { kind: "annotation"; annotation: Annotation; category: SceneCategory; number: number };

/** The tree's lines in order. `search` leaves only categories whose name has it, whatever the case. */
export function rowsOf(document: DocumentState, layers: LayersState, search = ""): Row[] {
  const byCategory = new Map<number, Annotation[]>();
  for (const annotation of document.annotations.values()) {
    const list = byCategory.get(annotation.category_id);
    if (list) list.push(annotation);
    else byCategory.set(annotation.category_id, [annotation]);
  }
  const wanted = search.trim().toLowerCase();
  return document.categories
    .filter((category) => category.name.toLowerCase().includes(wanted))
    .flatMap((category) => {
      const annotations = byCategory.get(category.id) ?? [];
      const head: Row = { kind: "category", category, count: annotations.length };
      if (!layers.expanded.has(category.id)) return [head];
      const rows = annotations.map(
        (annotation, index): Row => ({ kind: "annotation", annotation, category, number: index + 1 }),
      );
      return [head, ...rows];
    });
}

/** The place of what is selected among the rows, or -1. */
export function selectedRow(
  rows: readonly Row[],
  { category, annotation }: Pick<SelectionState, "category" | "annotation">,
): number {
  return rows.findIndex((row) =>
    row.kind === "annotation"
      ? row.annotation.uuid === annotation
      : annotation === null && row.category.id === category,
  );
}

/** The name that a person gave, else the number. */
export function titleOf({ metadata }: Annotation, number: number): string {
  return typeof metadata.name === "string" && metadata.name !== "" ? metadata.name : String(number);
}
