import { LISTED_STAGES, type ListedStage } from "../../../../shared/api/datasets/datasetImages";
import { ORDERS } from "../../../../shared/constants";
import type { FilterQuery } from "../../../queries/dataset";

/**
 * Filter and order of the image list. It is stored in the URL, so that links, reloading and going back preserve it. The
 * URL uses the parameter names of the call, so that the annotator can pass them on for previous and next.
 */
export interface Filter {
  /** Path of the open folder, with parts joined by `/`; empty for the top folder. */
  folder: string;
  contains: string;
  annotated: Kind;
  done: Kind;
  /** Stages of the shown images; empty for all. */
  stages: ListedStage[];
  /** True to show only images with threads of comments that are not resolved. */
  hasOpenThreads: boolean;
  /** Username of the user to whom the images are assigned; null for images that are assigned to nobody. */
  assignee: string | null | undefined;
  categories: number[];
  order: string;
}

/** The kind of images that is shown, such as annotated (true) or not (false); "none" shows neither, undefined both. */
export type Kind = boolean | "none" | undefined;

export const DEFAULT_ORDER = "file_name";

/** Parses a filter from URL parameters. Invalid values are ignored, because a URL may come from anywhere. */
export function filterOf(search: URLSearchParams): Filter {
  const order = search.get("order") ?? DEFAULT_ORDER;
  return {
    folder: search.get("folder") ?? "",
    contains: search.get("file_name__icontains") ?? "",
    annotated: kindOf(search.get("annotated")),
    done: kindOf(search.get("done")),
    stages: (search.get("stage") ?? "").split(",").filter(isStage),
    hasOpenThreads: search.get("comments") === "open",
    assignee: search.get("assigned") === "false" ? null : (search.get("assignee") ?? undefined),
    categories: (search.get("category_ids__in") ?? "").split(",").map(Number).filter(isId),
    order: isOrder(order) ? order : DEFAULT_ORDER,
  };
}

const kindOf = (value: string | null): Kind =>
  value === "true" ? true : value === "false" ? false : value === "none" ? value : undefined;
const isStage = (name: string): name is ListedStage => LISTED_STAGES.some((stage) => stage === name);
const isId = (value: number) => Number.isInteger(value) && value > 0;
const isOrder = (order: string) => ORDERS.some((name) => order === name || order === `-${name}`);

/** Returns the filter as URL parameters, without default values. */
export function searchOf(filter: Filter): URLSearchParams {
  const search = new URLSearchParams();
  if (filter.folder) search.set("folder", filter.folder);
  if (filter.contains) search.set("file_name__icontains", filter.contains);
  if (filter.annotated !== undefined) search.set("annotated", String(filter.annotated));
  if (filter.done !== undefined) search.set("done", String(filter.done));
  if (filter.stages.length > 0) search.set("stage", filter.stages.join(","));
  if (filter.hasOpenThreads) search.set("comments", "open");
  if (filter.assignee === null) search.set("assigned", "false");
  else if (filter.assignee !== undefined) search.set("assignee", filter.assignee);
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
    stage: filter.stages.length > 0 ? filter.stages : undefined,
    comments: filter.hasOpenThreads ? "open" : undefined,
    assignee: filter.assignee ?? undefined,
    assigned: filter.assignee === null ? false : undefined,
    category_ids__in: filter.categories.length > 0 ? filter.categories : undefined,
    strict_categories: filter.categories.length > 0 || undefined,
    order: filter.order,
  };
}

/** Returns true if anything but folder and order narrows the list. */
export const isNarrowed = (filter: Filter): boolean =>
  filter.contains !== "" ||
  filter.annotated !== undefined ||
  filter.done !== undefined ||
  filter.stages.length > 0 ||
  filter.hasOpenThreads ||
  filter.assignee !== undefined ||
  filter.categories.length > 0;

/** Values that remove all filters, but keep folder and order. */
export const NOT_NARROWED = {
  contains: "",
  annotated: undefined,
  done: undefined,
  stages: [],
  hasOpenThreads: false,
  assignee: undefined,
  categories: [],
} satisfies Partial<Filter>;
