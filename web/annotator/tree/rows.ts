import type { Annotation } from "../../../shared/entities/annotation";
import type { Keypoint } from "../../../shared/entities/keypoint";
import { foldText } from "../../../shared/text/fold";
import { type DocumentState, numbersOf, type SceneCategory } from "../document/document";
import type { LayersState } from "../document/layers";
import { type Label, labelsOf, pointOf } from "../keypoints/model/points";
import { type ParsedSearch, parseSearch, passes } from "../state/listFilter";
import { inListOrder, type ListOrder } from "../state/listOrder";
import { matchesSearch, type SearchState, searchable } from "../state/search";
import type { SelectionState } from "../state/selection";

/**
 * A row of the tree: a category, an annotation of an expanded category, a keypoint label of the selected annotation, or
 * the heading above the categories without annotations on the image.
 */
export type Row =
  /**
   * `isOpen`: true if annotations are listed below it, because the category is expanded or the search finds some of
   * them.
   */
  | { kind: "category"; category: SceneCategory; count: number; isOpen: boolean }
  /**
   * `number`: the annotation's number in the image, from 1. `list`: state of the keypoint list; null if the annotation
   * has none.
   */
  | { kind: "annotation"; annotation: Annotation; category: SceneCategory; number: number; list: KeypointList }
  /** `count`: number of categories below it; `isOpen`: true if they are listed. */
  | { kind: "others"; count: number; isOpen: boolean }
  /** `point`: the stored point; null if there is none. */
  | { kind: "keypoint"; annotation: Annotation; category: SceneCategory; label: Label; point: Keypoint | null };

export type KeypointList = "open" | "closed" | null;

/** Maximum number of categories without annotations that are listed without a heading. */
const MAX_OTHERS = 8;

/**
 * Returns the tree's rows that match the search. `order`: order of the annotations in their category. If many
 * categories have no annotations on the image, these follow at the end under a heading, which may hide them; the
 * selected and expanded categories are not among these. A category whose name matches has its usual rows; any other
 * category only the annotations that match. The selected annotation is always among the rows.
 */
export function rowsOf(
  document: DocumentState,
  layers: LayersState,
  search: SearchState,
  selected: Pick<SelectionState, "annotation" | "category">,
  order: ListOrder = "oldest",
): Row[] {
  const byCategory = annotationsByCategory(document);
  const numbers = numbersOf(document);
  const { tests, words: wanted } = wantedIn(document, search);
  const hasTests = tests.length > 0;
  const isOfImage = ({ id }: SceneCategory) =>
    byCategory.has(id) || layers.expanded.has(id) || id === selected.category;
  const own = document.categories.filter(isOfImage);
  const others = document.categories.length - own.length;
  if (wanted !== "" || hasTests || own.length === 0 || others <= MAX_OTHERS)
    return rowsOfCategories(document.categories);
  const head: Row = { kind: "others", count: others, isOpen: layers.listsOthers };
  const below = layers.listsOthers ? document.categories.filter((category) => !isOfImage(category)) : [];
  return [...rowsOfCategories(own), head, ...rowsOfCategories(below)];

  function rowsOfCategories(categories: readonly SceneCategory[]): Row[] {
    return categories.flatMap((category) => rowsOfCategory(category));
  }

  function rowsOfCategory(category: SceneCategory): Row[] {
    const annotations = byCategory.get(category.id) ?? [];
    const isExpanded = layers.expanded.has(category.id);
    const isNamed = isNameFound(category, wanted);
    if (!isExpanded && wanted === "" && !hasTests) return [headOf(category, annotations, false)];
    const lines = annotations.map((annotation) => {
      const number = numbers.get(annotation.uuid) ?? 0;
      return { kind: "annotation", annotation, category, number, list: null } as const;
    });
    const isNamedWell = ({ annotation, number }: AnnotationLine) =>
      (isNamed && (isExpanded || hasTests)) || matchesSearch(annotation, isExpanded ? number : null, wanted);
    const isShown = (line: AnnotationLine) =>
      line.annotation.uuid === selected.annotation || (passes(tests, line.annotation, category) && isNamedWell(line));
    const shown = inListOrder(lines.filter(isShown), order);
    if ((!isNamed || hasTests) && shown.length === 0) return [];
    const isOpen = isExpanded || shown.length > 0;
    return [headOf(category, annotations, isOpen), ...listKeypoints(shown, selected.annotation, layers)];
  }
}

/** Returns true if a row is itself a match of the search, not only shown together with one. */
export function isFound(row: Row, document: DocumentState, search: SearchState): boolean {
  const { tests, words } = wantedIn(document, search);
  if (row.kind === "category") return tests.length === 0 && isNameFound(row.category, words);
  if (row.kind !== "annotation" || !passes(tests, row.annotation, row.category)) return false;
  const isOfNamed = tests.length > 0 && isNameFound(row.category, words);
  return isOfNamed || matchesSearch(row.annotation, row.number, words);
}

const wantedIn = (document: DocumentState, { text }: SearchState): ParsedSearch =>
  parseSearch(searchable(document, "segment") === null ? "" : text);

const isNameFound = ({ name }: SceneCategory, wanted: string): boolean => foldText(name).includes(wanted);

const headOf = (category: SceneCategory, annotations: readonly Annotation[], isOpen: boolean): Row => ({
  kind: "category",
  category,
  count: annotations.length,
  isOpen,
});

function annotationsByCategory({ annotations }: DocumentState): Map<number, Annotation[]> {
  const byCategory = new Map<number, Annotation[]>();
  for (const annotation of annotations.values()) {
    const list = byCategory.get(annotation.category_id);
    if (list) list.push(annotation);
    else byCategory.set(annotation.category_id, [annotation]);
  }
  return byCategory;
}

type AnnotationLine = Extract<Row, { kind: "annotation" }>;

/** Inserts the labels of the selected annotation's category below its row. */
function listKeypoints(lines: AnnotationLine[], selected: string | null, layers: LayersState): Row[] {
  const at = selected === null ? -1 : lines.findIndex(({ annotation }) => annotation.uuid === selected);
  const line = lines[at];
  if (!line || line.category.keypoint_labels.length === 0) return lines;
  const { annotation, category } = line;
  const isOpen = layers.keypoints ?? (layers.isPlacing || !!annotation.keypoints?.length);
  const labels = isOpen ? labelsOf(category) : [];
  const below = labels.map(
    (label): Row => ({ kind: "keypoint", annotation, category, label, point: pointOf(annotation, label.id) }),
  );
  const head: Row = { ...line, list: isOpen ? "open" : "closed" };
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
