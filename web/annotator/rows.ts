import { CATEGORY_SEARCH_ABOVE } from "../../shared/constants";
import type { Annotation } from "../../shared/entities/annotation";
import type { DocumentState, SceneCategory } from "./document";
import type { LayersState } from "./layers";
import { ANNOTATION_SEARCH_FROM, isWanted, type SearchState } from "./search";
import type { SelectionState } from "./selection";

/** A line of the tree: a category, or an annotation of an expanded one. */
export type Row =
  | { kind: "category"; category: SceneCategory; count: number }
  /** The field that looks among the annotations of an expanded category. */
  | { kind: "search"; category: SceneCategory }
  /** `number` counts from 1 within the category. */
  | { kind: "annotation"; annotation: Annotation; category: SceneCategory; number: number };

/** The tree's lines in order, as far as they are looked for; the annotation in hand is always among them. */
export function rowsOf(
  document: DocumentState,
  layers: LayersState,
  search: SearchState,
  inHand: string | null,
): Row[] {
  const byCategory = new Map<number, Annotation[]>();
  for (const annotation of document.annotations.values()) {
    const list = byCategory.get(annotation.category_id);
    if (list) list.push(annotation);
    else byCategory.set(annotation.category_id, [annotation]);
  }
  const hasSearch = document.categories.length > CATEGORY_SEARCH_ABOVE;
  const wanted = hasSearch ? search.categories.trim().toLowerCase() : "";
  return document.categories
    .filter((category) => category.name.toLowerCase().includes(wanted))
    .flatMap((category) => {
      const annotations = byCategory.get(category.id) ?? [];
      const head: Row = { kind: "category", category, count: annotations.length };
      if (!layers.expanded.has(category.id)) return [head];
      const rows = annotations.map(
        (annotation, index) => ({ kind: "annotation", annotation, category, number: index + 1 }) as const,
      );
      if (rows.length < ANNOTATION_SEARCH_FROM) return [head, ...rows];
      const text = search.annotations.get(category.id) ?? "";
      const found = rows.filter(
        ({ annotation, number }) => annotation.uuid === inHand || isWanted(annotation, number, text),
      );
      return [head, { kind: "search", category }, ...found];
    });
}

/** The place of what is selected among the rows, or -1. */
export function selectedRow(
  rows: readonly Row[],
  { category, annotation }: Pick<SelectionState, "category" | "annotation">,
): number {
  return rows.findIndex((row) => {
    if (row.kind === "annotation") return row.annotation.uuid === annotation;
    return row.kind === "category" && annotation === null && row.category.id === category;
  });
}

/** The name that a person gave, else the number. */
export function titleOf({ metadata }: Annotation, number: number): string {
  return typeof metadata.name === "string" && metadata.name !== "" ? metadata.name : String(number);
}
