import { imageFilter } from "../../../shared/api/datasets/datasetImages";
import type { ManifestImage } from "../../../shared/api/offline";
import { PAGE_SIZE } from "../../../shared/constants";
import { filterImages } from "../../offline/answers/imageFilter";
import type { FilterQuery } from "../../queries/dataset";

/** The list of images that a dialog was opened from. */
export interface ShownList {
  query: FilterQuery;
  /** The open page, from 1. */
  page: number;
  /** Number of images that pass the filter; undefined while it is loading. */
  total: number | undefined;
  /** True if the filter or an open folder leaves images out. */
  isNarrowed: boolean;
}

/**
 * Images that the user wants: all images, all that pass the shown list's filter, the next images of the list from the
 * top of the open page, or the same images as before.
 */
export type Wish =
  | { kind: "all" }
  | { kind: "filter" }
  | { kind: "next"; count: number }
  | { kind: "same"; ids: number[] };

/** The list of a dataset that is not open: all images by file name. */
const WHOLE_LIST: FilterQuery = { folder: "" };

/** Returns the ids of the images that a wish stands for, in the list's order; null for all images. */
export function idsOf(wish: Wish, images: readonly ManifestImage[], list: ShownList | undefined): number[] | null {
  if (wish.kind === "all") return null;
  if (wish.kind === "same") return wish.ids;
  const passing = filterImages(images, imageFilter.parse(list?.query ?? WHOLE_LIST)).map(({ id }) => id);
  if (wish.kind === "filter") return passing;
  const first = list ? (list.page - 1) * PAGE_SIZE.images : 0;
  return passing.slice(first, first + wish.count);
}
