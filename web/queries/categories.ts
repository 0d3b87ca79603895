import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import {
  createCategory,
  deleteCategory,
  getCategories,
  listCategories,
  updateCategory,
} from "../../shared/api/category";
import { PAGE_SIZE } from "../../shared/constants";
import type { Category, CategoryInput } from "../../shared/entities/category";
import { request } from "../io/http/request";
import { useAnswer } from "./answer";
import { CATEGORIES_KEY, DATASETS_KEY } from "./keys";

export const useCategoryPage = (page: number) =>
  useAnswer({
    queryKey: [...CATEGORIES_KEY, "page", page],
    queryFn: ({ signal }) => request(getCategories, { query: { page, limit: PAGE_SIZE.categories } }, { signal }),
    placeholderData: keepPreviousData,
  });

/** All categories that the user may use. */
export const allCategoriesQuery = queryOptions({
  queryKey: [...CATEGORIES_KEY, "all"],
  queryFn: ({ signal }) => request(listCategories, {}, { signal }),
  meta: { quiet: true },
});

/** Their names, for suggestions. */
export const useCategoryNames = () => useAnswer({ ...allCategoriesQuery, select: namesOf });

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
 * Sends what the person changed of a category; `before`: as it was when the form was filled. Keypoints go as a whole, so
 * that they are refused where somebody else has changed them too.
 */
export function useUpdateCategory(id: number) {
  const refresh = useRefreshCategories();
  return useMutation({
    mutationFn: ({ before, change }: { before: Category; change: Partial<CategoryInput> }) => {
      const body = { ...change, ...(change.keypoint_labels && { keypoints_before: keypointsIn(before) }) };
      return request(updateCategory, { params: { id }, body });
    },
    // Also when it was refused: the list is out of date then.
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
    // Also when it was gone already: the list is out of date then.
    onSettled: refresh,
  });
}
