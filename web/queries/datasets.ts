import { keepPreviousData, useMutation, useQueryClient } from "@tanstack/react-query";
import {
  createDataset,
  deleteDataset,
  findPossibleMembers,
  getDatasets,
  shareDataset,
  updateDataset,
} from "../../shared/api/dataset";
import { PAGE_SIZE } from "../../shared/constants";
import { metadataChange, namesChange } from "../../shared/edits/listChange";
import type { Metadata } from "../../shared/entities/scalars";
import { request } from "../io/http/request";
import { useAnswer } from "./answer";
import { CATEGORIES_KEY, DATASETS_KEY, datasetKey } from "./keys";

export const useDatasets = (page: number) =>
  useAnswer({
    queryKey: [...DATASETS_KEY, page],
    queryFn: ({ signal }) => request(getDatasets, { query: { page, limit: PAGE_SIZE.datasets } }, { signal }),
    placeholderData: keepPreviousData,
  });

/** Lists that a change of a dataset shows in. New default categories may be new categories. */
function useRefreshDatasets() {
  const client = useQueryClient();
  return async (id?: number) => {
    void client.invalidateQueries({ queryKey: CATEGORIES_KEY });
    if (id !== undefined) void client.invalidateQueries({ queryKey: datasetKey(id) });
    await client.invalidateQueries({ queryKey: DATASETS_KEY });
  };
}

export function useCreateDataset() {
  const refresh = useRefreshDatasets();
  return useMutation({
    mutationFn: ({ name, categories }: { name: string; categories: string[] }) =>
      request(createDataset, { query: { name }, body: { categories } }),
    onSuccess: () => refresh(),
  });
}

/** Initial and present values of a user's form. */
export interface Change<T> {
  before: T;
  after: T;
}

export interface DatasetDefaults {
  /** Names. */
  categories: string[];
  /** Of new annotations. */
  metadata: Metadata;
}

/** Sends what the user changed: others may have changed the dataset since the form was opened. */
export function useUpdateDataset(id: number) {
  const refresh = useRefreshDatasets();
  return useMutation({
    mutationFn: ({ before, after }: Change<DatasetDefaults>) => {
      const categories = namesChange(before.categories, after.categories);
      const metadata = metadataChange(before.metadata, after.metadata);
      const body = {
        add_categories: categories.add,
        remove_categories: categories.remove,
        set_default_metadata: metadata.set,
        remove_default_metadata: metadata.remove,
      };
      return request(updateDataset, { params: { id }, body });
    },
    onSuccess: () => refresh(id),
  });
}

/** Usernames that a dataset may be shared with and that begin so. */
export const usePossibleMembers = (id: number, begin: string) =>
  useAnswer({
    queryKey: ["possible members", id, begin],
    queryFn: ({ signal }) => request(findPossibleMembers, { params: { id }, query: { begin } }, { signal }),
    enabled: begin !== "",
    placeholderData: keepPreviousData,
  });

/** By usernames; those whom others added or took away since the form was opened stay so. */
export function useShareDataset(id: number) {
  const refresh = useRefreshDatasets();
  return useMutation({
    mutationFn: ({ before, after }: Change<readonly string[]>) =>
      request(shareDataset, { params: { id }, body: namesChange(before, after) }),
    onSuccess: () => refresh(id),
  });
}

export function useDeleteDataset() {
  const refresh = useRefreshDatasets();
  return useMutation({
    mutationFn: (id: number) => request(deleteDataset, { params: { id } }),
    // Also when it was gone already: the list is out of date then.
    onSettled: () => refresh(),
  });
}
