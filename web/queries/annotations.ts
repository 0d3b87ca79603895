import { getAnnotation } from "../../shared/api/annotation";
import { RequestError, request } from "../io/http/request";
import { useQueryState } from "./queryState";

/** Returns the annotation of any image with this id; null if there is none that the user may see. */
export const useAnnotation = (id: number | null) =>
  useQueryState({
    queryKey: ["annotation", id],
    queryFn: ({ signal }) =>
      request(getAnnotation, { params: { id: id ?? 0 } }, { signal }).catch((error: unknown) => {
        if (error instanceof RequestError && error.status === 404) return null;
        throw error;
      }),
    enabled: id !== null,
    staleTime: 0,
    // The annotator itself reports that the session has ended.
    meta: { keepsPage: true },
  });
