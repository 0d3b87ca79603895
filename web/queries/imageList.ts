import { keepPreviousData } from "@tanstack/react-query";
import { getPlace } from "../../shared/api/annotator";
import { getDataset } from "../../shared/api/datasets/datasetImages";
import { request } from "../io/http/request";
import { datasetKey } from "./keys";
import { useQueryState } from "./queryState";

/** The list that previous and next follow while annotating, piece by piece. */

/** Number of images in a piece. */
export const LIST_PIECE = 60;
/** Time for which loaded images are shown without loading them again, in milliseconds. */
const FRESH_MS = 60_000;

/** The annotator itself reports that the session has ended, and stays open for the sake of an unfinished shape. */
const META = { keepsPage: true };

/** Returns the place of an image in the list: the number of images before it, and the total number. */
export const usePlace = (datasetId: number, imageId: number, list: Record<string, string>) =>
  useQueryState({
    queryKey: [...datasetKey(datasetId), "place", imageId, list],
    queryFn: ({ signal }) => request(getPlace, { params: { id: imageId }, query: list }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    meta: META,
  });

/**
 * Returns the images of a piece, counted from 0, of the list while it has `total` images: without the server, it has
 * only those in this browser.
 */
export const useListPiece = (datasetId: number, list: Record<string, string>, total: number, piece: number) =>
  useQueryState({
    queryKey: [...datasetKey(datasetId), "list", list, total, piece],
    queryFn: async ({ signal }) => {
      const query = { order: "path", ...list, page: piece + 1, limit: LIST_PIECE };
      return (await request(getDataset, { params: { id: datasetId }, query }, { signal })).images;
    },
    staleTime: FRESH_MS,
    meta: META,
  });
