import { isNumber, recall, remember } from "../../io/storage/localStore";

/** Returns access to the id of the category last used in a dataset, remembered in this browser. */
export function rememberedCategory(datasetId: number) {
  const key = `annotator/category/${datasetId}`;
  return {
    get: () => recall(key, isNumber) ?? null,
    set: (id: number) => remember(key, id),
  };
}
