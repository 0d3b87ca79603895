import { keepPreviousData, useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import {
  createDataset,
  type DatasetOrder,
  deleteDataset,
  getDatasets,
  updateDataset,
} from "../../shared/api/datasets/dataset";
import { type DatasetFigures, getDatasetFigures } from "../../shared/api/datasets/datasetFigures";
import { findPossibleMembers, leaveDataset, shareDataset } from "../../shared/api/datasets/datasetMembers";
import type { OutputOf } from "../../shared/api/protocol/call";
import { PAGE_SIZE } from "../../shared/constants";
import { metadataChange, namesChange } from "../../shared/edits/listChange";
import type { Category } from "../../shared/entities/category";
import type { Dataset } from "../../shared/entities/dataset";
import { DEFAULT_ROLE, type MemberRole } from "../../shared/entities/member";
import type { Metadata } from "../../shared/entities/scalars";
import { request } from "../io/http/request";
import { followRole } from "../io/live/followRole";
import { CATEGORIES_KEY, DATASETS_KEY, datasetKey } from "./keys";
import { useQueryState } from "./queryState";

export const useDatasets = (page: number, search: string, order: DatasetOrder) =>
  useQueryState({
    queryKey: [...DATASETS_KEY, page, search, order],
    queryFn: ({ signal }) =>
      request(
        getDatasets,
        { query: { page, limit: PAGE_SIZE.datasets, search: search || undefined, order } },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });

/** Returns the name of a dataset if it, or a list of datasets with it, was loaded before. */
export function useKnownName(id: number): string | undefined {
  const client = useQueryClient();
  const pages = client.getQueriesData<{ dataset: Dataset }>({ queryKey: [...datasetKey(id), "images"] });
  const [page] = pages.flatMap(([, each]) => each ?? []);
  if (page) return page.dataset.name;
  const lists = client.getQueriesData<Partial<OutputOf<typeof getDatasets>>>({ queryKey: DATASETS_KEY });
  return lists.flatMap(([, list]) => list?.datasets ?? []).find((dataset) => dataset.id === id)?.name;
}

/** Loads the figures on the cards of datasets, by id. Cards are shown without figures until these are loaded. */
export const useDatasetFigures = (ids: readonly number[]) =>
  useQueryState({
    queryKey: [...DATASETS_KEY, "figures", ids],
    queryFn: ({ signal }) => request(getDatasetFigures, { query: { ids: [...ids] } }, { signal }),
    select: figuresById,
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });

const figuresById = ({ datasets }: OutputOf<typeof getDatasetFigures>): ReadonlyMap<number, DatasetFigures> =>
  new Map(datasets.map((figures) => [figures.id, figures]));

/** Returns a function that reloads lists of datasets, and the categories, because default categories may be new. */
function useRefreshDatasets() {
  const client = useQueryClient();
  return async (id?: number) => {
    void client.invalidateQueries({ queryKey: CATEGORIES_KEY });
    if (id !== undefined) void client.invalidateQueries({ queryKey: datasetKey(id) });
    await client.invalidateQueries({ queryKey: DATASETS_KEY });
  };
}

/** Reloads what the user may do in a dataset when the user's role changes there. Used once, by the shell. */
export function useRoleEvents(): void {
  const refresh = useRefreshDatasets();
  const newest = useRef(refresh);
  useEffect(() => {
    newest.current = refresh;
  });
  useEffect(() => followRole((id) => void newest.current(id)), []);
}

export function useCreateDataset() {
  const refresh = useRefreshDatasets();
  return useMutation({
    mutationFn: ({ name, categories }: { name: string; categories: string[] }) =>
      request(createDataset, { query: { name }, body: { categories } }),
    onSuccess: () => refresh(),
  });
}

/** Initial and current values of a form. */
export interface Change<T> {
  before: T;
  after: T;
}

export interface EditableDataset {
  name: string;
  /** Names of the default categories, each once. */
  categories: string[];
  /** Metadata that new annotations start with. */
  metadata: Metadata;
}

/**
 * Sends only what the user changed, because other users may have changed the dataset since the form was opened.
 * `listed` are its categories as the form shows them: a removed name removes all of that name, whatever they are called
 * by now.
 */
export function useUpdateDataset(id: number, listed: readonly Pick<Category, "id" | "name">[]) {
  const refresh = useRefreshDatasets();
  return useMutation({
    mutationFn: ({ before, after }: Change<EditableDataset>) => {
      const categories = namesChange(before.categories, after.categories);
      const removed = listed.filter(({ name }) => categories.remove.includes(name));
      const metadata = metadataChange(before.metadata, after.metadata);
      const body = {
        ...(after.name !== before.name && { name: after.name }),
        add_categories: categories.add,
        remove_category_ids: removed.map((category) => category.id),
        set_default_metadata: metadata.set,
        remove_default_metadata: metadata.remove,
      };
      return request(updateDataset, { params: { id }, body });
    },
    onSuccess: () => refresh(id),
  });
}

/**
 * Returns a function that reloads a dataset, and resolves once what is shown of it is new: until then, a setting that
 * was stored stays pending, with the chosen value.
 */
function useRefreshSettings(id: number) {
  const client = useQueryClient();
  const refresh = useRefreshDatasets();
  return () => Promise.all([refresh(), client.invalidateQueries({ queryKey: datasetKey(id) })]);
}

/** Sets if a dataset asks for review. */
export function useSetReview(id: number) {
  const refresh = useRefreshSettings(id);
  return useMutation({
    mutationFn: (review: boolean) => request(updateDataset, { params: { id }, body: { review } }),
    onSuccess: refresh,
  });
}

/** Changes the settings of a dataset's queue. */
export function useSetQueue(id: number) {
  const refresh = useRefreshSettings(id);
  return useMutation({
    mutationFn: (body: Partial<Pick<Dataset, "queue_order" | "queue_assigned_only">>) =>
      request(updateDataset, { params: { id }, body }),
    onSuccess: refresh,
  });
}

/** Returns usernames that start with `begin` and that the dataset may be shared with. */
export const usePossibleMembers = (id: number, begin: string) =>
  useQueryState({
    queryKey: ["possible members", id, begin],
    queryFn: ({ signal }) => request(findPossibleMembers, { params: { id }, query: { begin } }, { signal }),
    enabled: begin !== "",
    placeholderData: keepPreviousData,
  });

/** Members of a dataset with their roles, as the user sees or wants them. */
export interface Sharing {
  users: readonly string[];
  /** By username in lower case. */
  roles: Readonly<Record<string, MemberRole>>;
}

/**
 * Sends the usernames that were added or removed, and the roles that were changed. Changes that other users made since
 * the form was opened are kept.
 */
export function useShareDataset(id: number) {
  const refresh = useRefreshDatasets();
  return useMutation({
    mutationFn: ({ before, after }: Change<Sharing>) => {
      const changed = after.users.filter((name) => roleIn(after, name) !== roleIn(before, name));
      const roles = Object.fromEntries(changed.map((name) => [name, roleIn(after, name)]));
      return request(shareDataset, {
        params: { id },
        body: { ...namesChange(before.users, after.users), ...(changed.length > 0 && { roles }) },
      });
    },
    onSuccess: () => refresh(id),
  });
}

export const roleIn = ({ roles }: Sharing, username: string): MemberRole =>
  roles[username.toLowerCase()] ?? DEFAULT_ROLE;

export function useLeaveDataset() {
  const refresh = useRefreshDatasets();
  return useMutation({
    mutationFn: (id: number) => request(leaveDataset, { params: { id } }),
    onSuccess: () => refresh(),
  });
}

export function useDeleteDataset() {
  const refresh = useRefreshDatasets();
  return useMutation({
    mutationFn: (id: number) => request(deleteDataset, { params: { id } }),
    // On failure too: if the dataset was already gone, the list is out of date.
    onSettled: () => refresh(),
  });
}
