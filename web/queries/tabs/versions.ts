import { useMutation, useQueryClient } from "@tanstack/react-query";
import { compareVersions, createVersion, deleteVersion, listVersions } from "../../../shared/api/datasets/versions";
import { request } from "../../io/http/request";
import { useTaskStart } from "../dataset";
import { datasetKey } from "../keys";
import { useQueryState } from "../queryState";

const versionsKey = (datasetId: number) => [...datasetKey(datasetId), "versions"];

export const useVersions = (datasetId: number) =>
  useQueryState({
    queryKey: versionsKey(datasetId),
    queryFn: ({ signal }) => request(listVersions, { params: { id: datasetId } }, { signal }),
  });

export const useCreateVersion = (datasetId: number) =>
  useTaskStart((body: { name: string; note: string }) => request(createVersion, { params: { id: datasetId }, body }));

export function useDeleteVersion(datasetId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => request(deleteVersion, { params: { id } }),
    // On failure too: if the version was already gone, the list is out of date.
    onSettled: () => client.invalidateQueries({ queryKey: versionsKey(datasetId) }),
  });
}

/** Compares two versions, whose files never change. */
export const useComparison = (id: number, otherId: number) =>
  useQueryState({
    queryKey: ["versions", "compare", id, otherId],
    queryFn: ({ signal }) => request(compareVersions, { params: { id, otherId } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
