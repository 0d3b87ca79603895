import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import {
  createCategory,
  deleteCategory,
  getCategories,
  listCategories,
  updateCategory,
} from "../../shared/api/category";
import type { BodyOf } from "../../shared/api/protocol/call";
import { PAGE_SIZE } from "../../shared/constants";
import type { Category, CategoryInput } from "../../shared/entities/category";
import { request } from "../io/http/request";
import { CATEGORIES_KEY, DATASETS_KEY } from "./keys";
import { useQueryState } from "./queryState";

export const useCategoryPage = (page: number, search: string) =>
  useQueryState({
    queryKey: [...CATEGORIES_KEY, "page", page, search],
    queryFn: ({ signal }) =>
      request(getCategories, { query: { page, limit: PAGE_SIZE.categories, search: search || undefined } }, { signal }),
    placeholderData: keepPreviousData,
  });

/** All categories that the user may use. */
export const allCategoriesQuery = queryOptions({
  queryKey: [...CATEGORIES_KEY, "all"],
  queryFn: ({ signal }) => request(listCategories, {}, { signal }),
  meta: { quiet: true },
});

/** Returns the names of all categories that the user may use, for suggestions. */
export const useCategoryNames = () => useQueryState({ ...allCategoriesQuery, select: namesOf });

const namesOf = (categories: readonly { name: string }[]): string[] => categories.map(({ name }) => name);

function useRefreshCategories() {
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries({ queryKey: DATASETS_KEY });
    return client.invalidateQueries({ queryKey: CATEGORIES_KEY });
  };
}

export function useCreateCategory() {
  const refresh = useRefreshCategories();
  return useMutation({
    mutationFn: (body: CategoryInput) => request(createCategory, { body }),
    onSuccess: refresh,
  });
}

/**
 * Sends what the user changed in a category. `before` is the category as the form first showed it. Keypoints are sent
 * as a whole together with their old value, so that the server refuses them if another user has changed them too.
 */
export function useUpdateCategory(id: number) {
  const refresh = useRefreshCategories();
  return useMutation({
    mutationFn: ({ before, change }: { before: Category; change: BodyOf<typeof updateCategory> }) => {
      const body = {
        ...change,
        ...(change.keypoint_labels && { keypoints_before: keypointsIn(before) }),
        ...(change.attributes && { attributes_before: before.attributes ?? [] }),
      };
      return request(updateCategory, { params: { id }, body });
    },
    // On failure too: if the change was refused, the list is out of date.
    onSettled: refresh,
  });
}

const keypointsIn = ({ keypoint_labels, keypoint_edges, keypoint_colors, keypoint_label_ids }: Category) => ({
  keypoint_labels,
  keypoint_edges,
  keypoint_colors,
  keypoint_label_ids,
});

export function useDeleteCategory() {
  const refresh = useRefreshCategories();
  return useMutation({
    mutationFn: (id: number) => request(deleteCategory, { params: { id } }),
    // On failure too: if the category was already gone, the list is out of date.
    onSettled: refresh,
  });
}
