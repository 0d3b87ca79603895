import { useMutation } from "@tanstack/react-query";
import { getStatistics, resetMetadata } from "../../../shared/api/datasets/dataset";
import { listMembers } from "../../../shared/api/datasets/datasetMembers";
import { request } from "../../io/http/request";
import { useRefreshDataset } from "../dataset";
import { datasetKey } from "../keys";
import { useQueryState } from "../queryState";

export const useMembers = (id: number) =>
  useQueryState({
    queryKey: [...datasetKey(id), "members"],
    queryFn: ({ signal }) => request(listMembers, { params: { id } }, { signal }),
    staleTime: 0,
  });

export const useStatistics = (id: number) =>
  useQueryState({
    queryKey: [...datasetKey(id), "statistics"],
    queryFn: ({ signal }) => request(getStatistics, { params: { id } }, { signal }),
    staleTime: 0,
  });

export function useResetMetadata(id: number) {
  const refresh = useRefreshDataset(id);
  return useMutation({ mutationFn: () => request(resetMetadata, { params: { id } }), onSuccess: refresh });
}
