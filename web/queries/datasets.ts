import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import {
  createDataset,
  deleteDataset,
  findPossibleMembers,
  getDataset,
  getDatasets,
  getOneDataset,
  shareDataset,
  updateDataset,
} from "../../shared/api/dataset";
import { PAGE_SIZE } from "../../shared/constants";
import { changedFields } from "../../shared/edits/changedFields";
import { rebaseMetadata } from "../../shared/edits/rebaseMetadata";
import { rebaseNames } from "../../shared/edits/rebaseNames";
import type { Metadata } from "../../shared/entities/scalars";
import { request } from "../io/request";
import { CATEGORIES_KEY, DATASETS_KEY, datasetKey } from "./keys";

export const useDatasets = (page: number) =>
  useQuery({
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

/** What a person's form was filled with, and what they made of it. */
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

/** Does what the person changed to what the dataset has now: others may have changed it since the form was opened. */
export function useUpdateDataset(id: number) {
  const refresh = useRefreshDatasets();
  return useMutation({
    mutationFn: async ({ before, after }: Change<DatasetDefaults>) => {
      const now = await request(getDataset, { params: { id }, query: { page: 1, limit: 1 } });
      const names = now.categories.map(({ name }) => name);
      const entries = now.dataset.default_annotation_metadata;
      const { categories, metadata } = changedFields(before, after);
      const body = {
        ...(categories && { categories: rebaseNames(before.categories, categories, names) }),
        ...(metadata && { default_annotation_metadata: rebaseMetadata(before.metadata, metadata, entries) }),
      };
      await request(updateDataset, { params: { id }, body });
    },
    onSuccess: () => refresh(id),
  });
}

/** Usernames that a dataset may be shared with and that begin so. */
export const usePossibleMembers = (id: number, begin: string) =>
  useQuery({
    queryKey: ["possible members", id, begin],
    queryFn: ({ signal }) => request(findPossibleMembers, { params: { id }, query: { begin } }, { signal }),
    enabled: begin !== "",
    placeholderData: keepPreviousData,
  });

/** By usernames; those whom others added or took away since the form was opened stay so. */
export function useShareDataset(id: number) {
  const refresh = useRefreshDatasets();
  return useMutation({
    mutationFn: async ({ before, after }: Change<readonly string[]>) => {
      const { users } = await request(getOneDataset, { params: { id } });
      await request(shareDataset, { params: { id }, body: { users: rebaseNames(before, after, users) } });
    },
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
