import { CATEGORY_SEARCH_ABOVE } from "../../../shared/constants";
import type { Annotation } from "../../../shared/entities/annotation";
import type { Keypoint } from "../../../shared/entities/keypoint";
import { foldText } from "../../../shared/text/fold";
import type { DocumentState, SceneCategory } from "../document/document";
import type { LayersState } from "../document/layers";
import { type Label, labelsOf, pointOf } from "../keypoints/model/points";
import { ANNOTATION_SEARCH_FROM, matchesSearch, type SearchState } from "../state/search";
import type { SelectionState } from "../state/selection";

/** A row of the tree: a category, an annotation of an expanded one, or a keypoint label of the selected annotation. */
export type Row =
  | { kind: "category"; category: SceneCategory; count: number }
  /** The field that searches the annotations of an expanded category. */
  | { kind: "search"; category: SceneCategory }
  /** `number`: position in the category, from 1. `list`: state of the keypoint list; null if it has none. */
  | { kind: "annotation"; annotation: Annotation; category: SceneCategory; number: number; list: KeypointList }
  /** `point`: the stored point; null if there is none. */
  | { kind: "keypoint"; annotation: Annotation; category: SceneCategory; label: Label; point: Keypoint | null };

export type KeypointList = "open" | "closed" | null;

/**
 * Returns the tree's rows that match the search, in order. The selected annotation (`selected`: its uuid) always
 * matches.
 */
export function rowsOf(
  document: DocumentState,
  layers: LayersState,
  search: SearchState,
  selected: string | null,
): Row[] {
  const byCategory = new Map<number, Annotation[]>();
  for (const annotation of document.annotations.values()) {
    const list = byCategory.get(annotation.category_id);
    if (list) list.push(annotation);
    else byCategory.set(annotation.category_id, [annotation]);
  }
  const hasSearch = document.categories.length > CATEGORY_SEARCH_ABOVE;
  const wanted = hasSearch ? foldText(search.categories.trim()) : "";
  return document.categories
    .filter((category) => foldText(category.name).includes(wanted))
    .flatMap((category) => {
      const annotations = byCategory.get(category.id) ?? [];
      const head: Row = { kind: "category", category, count: annotations.length };
      if (!layers.expanded.has(category.id)) return [head];
      const rows = annotations.map(
        (annotation, index) => ({ kind: "annotation", annotation, category, number: index + 1, list: null }) as const,
      );
      const withKeypoints = (found: AnnotationLine[]) => listKeypoints(found, selected, layers);
      if (rows.length < ANNOTATION_SEARCH_FROM) return [head, ...withKeypoints(rows)];
      const text = search.annotations.get(category.id) ?? "";
      const found = rows.filter(
        ({ annotation, number }) => annotation.uuid === selected || matchesSearch(annotation, number, text),
      );
      return [head, { kind: "search", category }, ...withKeypoints(found)];
    });
}

type AnnotationLine = Extract<Row, { kind: "annotation" }>;

/** Inserts the labels of the selected annotation's category below its row. */
function listKeypoints(lines: AnnotationLine[], selected: string | null, layers: LayersState): Row[] {
  const at = selected === null ? -1 : lines.findIndex(({ annotation }) => annotation.uuid === selected);
  const line = lines[at];
  if (!line || line.category.keypoint_labels.length === 0) return lines;
  const { annotation, category } = line;
  const labels = layers.keypoints ? labelsOf(category) : [];
  const below = labels.map(
    (label): Row => ({ kind: "keypoint", annotation, category, label, point: pointOf(annotation, label.id) }),
  );
  const head: Row = { ...line, list: layers.keypoints ? "open" : "closed" };
  return [...lines.slice(0, at), head, ...below, ...lines.slice(at + 1)];
}

/** Returns the index of the selected row, or -1. */
export function selectedRow(
  rows: readonly Row[],
  { category, annotation, keypoint }: Pick<SelectionState, "category" | "annotation" | "keypoint">,
): number {
  const label = rows.findIndex((row) => row.kind === "keypoint" && row.label.id === keypoint);
  if (label >= 0) return label;
  return rows.findIndex((row) => {
    if (row.kind === "annotation") return row.annotation.uuid === annotation;
    return row.kind === "category" && annotation === null && row.category.id === category;
  });
}

/** Returns the name that a user gave to the annotation, otherwise its number. */
export function titleOf({ metadata }: Annotation, number: number): string {
  return typeof metadata.name === "string" && metadata.name !== "" ? metadata.name : String(number);
}
