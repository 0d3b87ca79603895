import type { ImageFilter } from "../../../shared/api/dataset";
import type { ManifestImage } from "../../../shared/api/offline";
import { folderOf, folderPath } from "../../../shared/rules/folders";
import { compareCodePoints, compareNaturally, foldText, sortKey } from "../../../shared/text/fold";

/**
 * Lists of a dataset's images from local rows: filtered and sorted exactly as the server does it in
 * server/features/images/imageList.ts.
 */

type Filter = Omit<ImageFilter, "order">;
/** The columns of an image that decide its place in a list. */
export type SortedImage = Pick<ManifestImage, "id" | "path" | "file_name">;

/** Returns the images that pass the filter, in its order. */
export function filterImages<T extends ManifestImage>(rows: readonly T[], { order, ...filter }: ImageFilter): T[] {
  return rows.filter(passing(filter)).sort(inOrder(order));
}

/** Returns the test that images must pass. Unknown folders and categories are not errors: no image passes. */
export function passing(filter: Filter): (image: ManifestImage) => boolean {
  const { annotated, done, category_ids__in: ids = [], strict_categories: isStrict } = filter;
  if (annotated === "none") return () => false;
  const folder = folderPath(filter.folder);
  const contains = containing(filter.file_name__icontains ?? "");
  const categories = new Set(ids);
  return (image) =>
    image.path.startsWith(folder) &&
    (annotated === undefined || image.annotated === annotated) &&
    (done === undefined || image.done === done) &&
    (categories.size === 0 ||
      (!image.annotated && !isStrict) ||
      image.category_ids.some((category) => categories.has(category))) &&
    contains(image.file_name);
}

/** Returns a test for a part of a name. */
function containing(text: string): (name: string) => boolean {
  if (text === "") return () => true;
  const folded = foldText(text);
  return (name) => foldText(name).includes(folded);
}

/** Returns the comparison for an order. Images with the same text are sorted by id, so that no two are equal. */
export function inOrder(order: ImageFilter["order"]): (a: SortedImage, b: SortedImage) => number {
  const sign = order.startsWith("-") ? -1 : 1;
  const column = order.replace(/^-/, "");
  if (column === "id") return (a, b) => sign * (a.id - b.id);
  const keyOf = column === "path" ? rememberedKey((image) => image.path) : rememberedKey((image) => image.file_name);
  return (a, b) => sign * (compareCodePoints(keyOf(a), keyOf(b)) || a.id - b.id);
}

/** Returns a function that makes the sort key of each image once. */
function rememberedKey(textOf: (image: SortedImage) => string): (image: SortedImage) => string {
  const keys = new Map<SortedImage, string>();
  return (image) => {
    const known = keys.get(image);
    if (known !== undefined) return known;
    const key = sortKey(textOf(image));
    keys.set(image, key);
    return key;
  };
}

export interface Neighbours {
  previous: number | null;
  next: number | null;
  next_not_annotated: number | null;
}

/**
 * Returns the images before and after `image` in a list that `filterImages` has made, and the next unannotated one; null
 * at the ends. Also works if `image` is not in the list.
 */
export function neighboursIn(
  list: readonly ManifestImage[],
  image: SortedImage,
  order: ImageFilter["order"],
): Neighbours {
  const compare = inOrder(order);
  const place = firstIndex(list, (other) => compare(other, image) >= 0);
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

/** Returns the first index from which on `holds` is true, for a condition that stays true once it is. */
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
