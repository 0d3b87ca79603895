import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import {
  deleteImages,
  type ImagesChanged,
  labelImages,
  markImages,
  moveImages,
  restoreImages,
  takeBackImages,
} from "../../shared/api/bulk";
import type { imageFilter } from "../../shared/api/dataset";
import { request } from "../io/request";
import { useRefreshDataset } from "./dataset";
import { TASKS_KEY, UNDO_KEY } from "./keys";

/** Pictures named by id, or all that fit a filter but some. */
export type WhichImages = { ids: number[] } | { filter: Omit<z.input<typeof imageFilter>, "order">; except: number[] };

/** Changes of many pictures of a dataset. What is shown of it is asked for again when the answer is there. */
function useChange<V>(datasetId: number, change: (params: { id: number }, value: V) => Promise<ImagesChanged>) {
  const client = useQueryClient();
  const refresh = useRefreshDataset(datasetId);
  return useMutation({
    mutationFn: (value: V) => change({ id: datasetId }, value),
    onSettled: () => {
      for (const key of [TASKS_KEY, UNDO_KEY]) void client.invalidateQueries({ queryKey: key });
      return refresh();
    },
  });
}

export const useDeleteImages = (datasetId: number) =>
  useChange(datasetId, (params, which: WhichImages) => request(deleteImages, { params, body: which }));

export const useRestoreImages = (datasetId: number) =>
  useChange(datasetId, (params, undo: string) => request(restoreImages, { params, body: { undo } }));

/** Of moves, labels and marks. */
export const useTakeBackImages = (datasetId: number) =>
  useChange(datasetId, (params, undo: string) => request(takeBackImages, { params, body: { undo } }));

export const useMoveImages = (datasetId: number) =>
  useChange(datasetId, (params, { which, folder }: { which: WhichImages; folder: string }) =>
    request(moveImages, { params, body: { ...which, folder } }),
  );

export const useLabelImages = (datasetId: number) =>
  useChange(datasetId, (params, { which, ...labels }: { which: WhichImages; add: number[]; remove: number[] }) =>
    request(labelImages, { params, body: { ...which, ...labels } }),
  );

export const useMarkImages = (datasetId: number) =>
  useChange(datasetId, (params, { which, done }: { which: WhichImages; done: boolean }) =>
    request(markImages, { params, body: { ...which, done } }),
  );
