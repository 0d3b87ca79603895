import { getDataset } from "../../shared/api/dataset";
import { request } from "../io/http/request";
import { datasetKey } from "./keys";
import { useQueryState } from "./queryState";

/** Number of images that are found at most. */
const FOUND = 20;

/**
 * Returns the images of a list (its filter in query parameters) whose names contain a text. Loads nothing for an empty
 * text.
 */
export const useImagesByName = (datasetId: number, list: Record<string, string>, text: string) =>
  useQueryState({
    queryKey: [...datasetKey(datasetId), "images by name", list, text],
    queryFn: async ({ signal }) => {
      const query = { ...list, file_name__icontains: text, page: 1, limit: FOUND };
      const { images } = await request(getDataset, { params: { id: datasetId }, query }, { signal });
      const also = list.file_name__icontains?.toLowerCase() ?? "";
      return images.filter(({ path }) => path.toLowerCase().includes(also));
    },
    enabled: text !== "",
  });
