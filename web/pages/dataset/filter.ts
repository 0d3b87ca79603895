import { ORDERS } from "../../../shared/constants";
import type { FilterQuery } from "../../queries/dataset";

/**
 * The list of pictures as the address says it, so that back, reload and links keep it. Names in the address are those
 * of the call, so that the annotator can hand the same text on for previous and next.
 */
export interface Filter {
  /** Path of the sub-folder, parts joined by `/`; empty is the dataset itself. */
  folder: string;
  contains: string;
  /** Undefined shows both. */
  annotated: boolean | undefined;
  categories: number[];
  order: string;
}

export const DEFAULT_ORDER = "file_name";

/** An address may come from anywhere: what is not valid is left out. */
export function filterOf(search: URLSearchParams): Filter {
  const annotated = search.get("annotated");
  const order = search.get("order") ?? DEFAULT_ORDER;
  return {
    folder: search.get("folder") ?? "",
    contains: search.get("file_name__icontains") ?? "",
    annotated: annotated === "true" ? true : annotated === "false" ? false : undefined,
    categories: (search.get("category_ids__in") ?? "").split(",").map(Number).filter(isId),
    order: isOrder(order) ? order : DEFAULT_ORDER,
  };
}

const isId = (value: number) => Number.isInteger(value) && value > 0;
const isOrder = (order: string) => ORDERS.some((name) => order === name || order === `-${name}`);

/** The filter as parameters of an address, with only what differs from a bare list. */
export function searchOf(filter: Filter): URLSearchParams {
  const search = new URLSearchParams();
  if (filter.folder) search.set("folder", filter.folder);
  if (filter.contains) search.set("file_name__icontains", filter.contains);
  if (filter.annotated !== undefined) search.set("annotated", String(filter.annotated));
  if (filter.categories.length > 0) search.set("category_ids__in", filter.categories.join(","));
  if (filter.order !== DEFAULT_ORDER) search.set("order", filter.order);
  return search;
}

export function queryOf(filter: Filter): FilterQuery {
  return {
    folder: filter.folder,
    file_name__icontains: filter.contains || undefined,
    annotated: filter.annotated,
    category_ids__in: filter.categories.length > 0 ? filter.categories : undefined,
    order: filter.order,
  };
}

/** Whether anything but folder and order narrows the list. */
export const isNarrowed = (filter: Filter): boolean =>
  filter.contains !== "" || filter.annotated !== undefined || filter.categories.length > 0;
