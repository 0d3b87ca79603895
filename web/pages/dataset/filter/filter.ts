import { ORDERS } from "../../../../shared/constants";
import type { FilterQuery } from "../../../queries/dataset";

/**
 * The list of images as the address says it, so that back, reload and links keep it. Names in the address are those
 * of the call, so that the annotator can hand the same text on for previous and next.
 */
export interface Filter {
  /** Path of the sub-folder, parts joined by `/`; empty is the dataset itself. */
  folder: string;
  contains: string;
  /** Undefined shows both, here and of `done`. */
  annotated: boolean | undefined;
  done: boolean | undefined;
  categories: number[];
  order: string;
}

export const DEFAULT_ORDER = "file_name";

/** An address may come from anywhere: what is not valid is left out. */
export function filterOf(search: URLSearchParams): Filter {
  const order = search.get("order") ?? DEFAULT_ORDER;
  return {
    folder: search.get("folder") ?? "",
    contains: search.get("file_name__icontains") ?? "",
    annotated: flagOf(search.get("annotated")),
    done: flagOf(search.get("done")),
    categories: (search.get("category_ids__in") ?? "").split(",").map(Number).filter(isId),
    order: isOrder(order) ? order : DEFAULT_ORDER,
  };
}

const flagOf = (value: string | null) => (value === "true" ? true : value === "false" ? false : undefined);
const isId = (value: number) => Number.isInteger(value) && value > 0;
const isOrder = (order: string) => ORDERS.some((name) => order === name || order === `-${name}`);

/** The filter as parameters of an address, with only what differs from a bare list. */
export function searchOf(filter: Filter): URLSearchParams {
  const search = new URLSearchParams();
  if (filter.folder) search.set("folder", filter.folder);
  if (filter.contains) search.set("file_name__icontains", filter.contains);
  if (filter.annotated !== undefined) search.set("annotated", String(filter.annotated));
  if (filter.done !== undefined) search.set("done", String(filter.done));
  if (filter.categories.length > 0) {
    search.set("category_ids__in", filter.categories.join(","));
    search.set("strict_categories", "true");
  }
  if (filter.order !== DEFAULT_ORDER) search.set("order", filter.order);
  return search;
}

export function queryOf(filter: Filter): FilterQuery {
  return {
    folder: filter.folder,
    file_name__icontains: filter.contains || undefined,
    annotated: filter.annotated,
    done: filter.done,
    category_ids__in: filter.categories.length > 0 ? filter.categories : undefined,
    strict_categories: filter.categories.length > 0 || undefined,
    order: filter.order,
  };
}

/** Returns true if anything but folder and order narrows the list. */
export const isNarrowed = (filter: Filter): boolean =>
  filter.contains !== "" || filter.annotated !== undefined || filter.done !== undefined || filter.categories.length > 0;

/** Values that show all images of a folder again. */
export const NOT_NARROWED = {
  contains: "",
  annotated: undefined,
  done: undefined,
  categories: [],
} satisfies Partial<Filter>;
