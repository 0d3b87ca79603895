import { useQueryClient } from "@tanstack/react-query";
import { compareImages, getComparedImages } from "../../../shared/api/datasets/queue";
import { request } from "../../io/http/request";
import { useTaskStart } from "../dataset";
import { datasetKey } from "../keys";
import { useQueryState } from "../queryState";

/** Pause between two counts while images are compared. */
const POLL_MS = 2_000;

const keyOf = (datasetId: number) => [...datasetKey(datasetId), "comparedImages"] as const;

/** Numbers of the images of a dataset that were compared by their looks. */
export const useComparedImages = (datasetId: number, isRunning: boolean) =>
  useQueryState({
    queryKey: keyOf(datasetId),
    queryFn: ({ signal }) => request(getComparedImages, { params: { id: datasetId } }, { signal }),
    refetchInterval: isRunning ? POLL_MS : false,
    staleTime: 0,
    meta: { quiet: true },
  });

/** Starts to compare the images that were not compared yet. */
export const useCompareImages = (datasetId: number) =>
  useTaskStart(() => request(compareImages, { params: { id: datasetId } }));

/** Returns a function that counts the compared images again. */
export function useRefreshComparedImages(datasetId: number) {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: keyOf(datasetId) });
}
