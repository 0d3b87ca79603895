import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import {
  createCategory,
  deleteCategory,
  getCategories,
  listCategories,
  updateCategory,
} from "../../shared/api/category";
import { PAGE_SIZE } from "../../shared/constants";
import type { CategoryInput } from "../../shared/entities/category";
import { request } from "../io/request";
import { CATEGORIES_KEY, DATASETS_KEY } from "./keys";

export const useCategoryPage = (page: number) =>
  useQuery({
    queryKey: [...CATEGORIES_KEY, "page", page],
    queryFn: ({ signal }) => request(getCategories, { query: { page, limit: PAGE_SIZE.categories } }, { signal }),
    placeholderData: keepPreviousData,
  });

/** All that one may use, for suggestions. */
export const useAllCategories = () =>
  useQuery({
    queryKey: [...CATEGORIES_KEY, "all"],
    queryFn: ({ signal }) => request(listCategories, {}, { signal }),
    meta: { quiet: true },
  });

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

export function useUpdateCategory(id: number) {
  const refresh = useRefreshCategories();
  return useMutation({
    mutationFn: (body: CategoryInput) => request(updateCategory, { params: { id }, body }),
    onSuccess: refresh,
  });
}

export function useDeleteCategory() {
  const refresh = useRefreshCategories();
  return useMutation({
    mutationFn: (id: number) => request(deleteCategory, { params: { id } }),
    // Also when it was gone already: the list is out of date then.
    onSettled: refresh,
  });
}
