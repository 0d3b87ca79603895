import type { ImageFilter, ListedStage } from "../../../shared/api/datasets/datasetImages";
import type { ManifestImage } from "../../../shared/api/offline";
import { folderOf, folderPath } from "../../../shared/rules/folders";
import { stageOf } from "../../../shared/rules/stages";
import { compareCodePoints, compareNaturally, foldText, sortKey } from "../../../shared/text/fold";

/**
 * Lists of a dataset's images from local rows: filtered and sorted exactly as the server does it in
 * server/features/images/imageList.ts.
 */

type Filter = Omit<ImageFilter, "order">;
/** The columns of an image that decide its place in a list. */
export type SortedImage = Pick<ManifestImage, "id" | "path" | "file_name">;

/** Sorted lists, by rows and then by order. They are kept because the pages of a list are read one after another. */
const sortedLists = new WeakMap<readonly ManifestImage[], Map<ImageFilter["order"], readonly ManifestImage[]>>();

/**
 * Returns the images that pass the filter, in its order. Remembers the sorted list, so callers must not change `rows`.
 */
export function filterImages<T extends ManifestImage>(rows: readonly T[], { order, ...filter }: ImageFilter): T[] {
  return sortedImages(rows, order).filter(passing(filter));
}

function sortedImages<T extends ManifestImage>(rows: readonly T[], order: ImageFilter["order"]): readonly T[] {
  const known = sortedLists.get(rows) ?? new Map<ImageFilter["order"], readonly T[]>();
  const list = (known.get(order) as readonly T[] | undefined) ?? rows.toSorted(inOrder(order));
  sortedLists.set(rows, known.set(order, list));
  return list;
}

/**
 * Returns a predicate that is true for images that pass. An unknown folder or category is no error: no image passes.
 */
export function passing(filter: Filter): (image: ManifestImage) => boolean {
  const {
    annotated,
    done,
    category_ids__in: ids = [],
    strict_categories: isStrict,
    stage: stages = [],
    assignee,
    assigned,
  } = filter;
  if (annotated === "none" || done === "none") return () => false;
  const folder = folderPath(filter.folder);
  const contains = containing(filter.file_name__icontains ?? "");
  const categories = new Set(ids);
  return (image) =>
    image.path.startsWith(folder) &&
    (annotated === undefined || image.annotated === annotated) &&
    (done === undefined || image.done === done) &&
    (assignee === undefined || image.assignee === assignee) &&
    (assigned === undefined || Boolean(image.assignee) === assigned) &&
    (stages.length === 0 || isListedAs(image, stages)) &&
    (filter.comments === undefined || (image.open_threads ?? 0) > 0) &&
    (categories.size === 0 ||
      (!image.annotated && !isStrict) ||
      image.category_ids.some((category) => categories.has(category))) &&
    contains(image);
}

function isListedAs(image: ManifestImage, stages: readonly ListedStage[]): boolean {
  const stage = stageOf(image);
  return stages.includes(stage) || (stage === "open" && stages.includes(image.annotated ? "annotating" : "new"));
}

/** Returns a predicate that is true for images whose file name contains `text`. */
function containing(text: string): (image: ManifestImage) => boolean {
  if (text === "") return () => true;
  const folded = foldText(text);
  return (image) => foldedName(image).includes(folded);
}

/** Returns the comparison for an order. Images with the same text are sorted by id, so that no two are equal. */
export function inOrder(order: ImageFilter["order"]): (a: SortedImage, b: SortedImage) => number {
  const sign = order.startsWith("-") ? -1 : 1;
  const column = order.replace(/^-/, "");
  if (column === "id") return (a, b) => sign * (a.id - b.id);
  const keyOf = column === "path" ? pathKey : nameKey;
  return (a, b) => sign * (compareCodePoints(keyOf(a), keyOf(b)) || a.id - b.id);
}

const foldedName = rememberedText(({ file_name }) => foldText(file_name));
const nameKey = rememberedText(({ file_name }) => sortKey(file_name));
const pathKey = rememberedText(({ path }) => sortKey(path));

/** Returns a function that folds the text of each image once. */
function rememberedText(fold: (image: SortedImage) => string): (image: SortedImage) => string {
  const texts = new WeakMap<SortedImage, string>();
  return (image) => {
    const known = texts.get(image);
    if (known !== undefined) return known;
    const text = fold(image);
    texts.set(image, text);
    return text;
  };
}

export interface Neighbours {
  previous: number | null;
  next: number | null;
  next_not_annotated: number | null;
}

/**
 * Returns the images before and after `image` in a list that `filterImages` has made, and the next unannotated one;
 * null at the ends. Also works if `image` is not in the list.
 */
export function neighboursIn(
  list: readonly ManifestImage[],
  image: SortedImage,
  order: ImageFilter["order"],
): Neighbours {
  const place = countBefore(list, image, order);
  const after = list[place]?.id === image.id ? place + 1 : place;
  const next = list[after] ?? null;
  let open = after;
  while (list[open]?.annotated) open++;
  return {
    previous: list[place - 1]?.id ?? null,
    next: next?.id ?? null,
    next_not_annotated: list[open]?.id ?? null,
  };
}

/**
 * Returns the number of images before `image` in a list that `filterImages` has made, even if it is not in the list.
 */
export function countBefore(list: readonly SortedImage[], image: SortedImage, order: ImageFilter["order"]): number {
  const compare = inOrder(order);
  return firstIndex(list, (other) => compare(other, image) >= 0);
}

/**
 * Returns the first index at which `holds` is true, by binary search: `holds` must also be true at all later indexes.
 */
function firstIndex<T>(list: readonly T[], holds: (item: T) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = list[middle];
    if (item !== undefined && holds(item)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns the direct subfolders of a folder that contain images, in natural order. */
export function subfoldersOf(rows: readonly Pick<ManifestImage, "path">[], within: string): string[] {
  const folder = folderPath(within);
  const names = new Set<string>();
  for (const { path } of rows) {
    const below = folderOf(path);
    if (below.length > folder.length && below.startsWith(folder))
      names.add(below.slice(folder.length, below.indexOf("/", folder.length)));
  }
  return [...names].sort(compareNaturally);
}
