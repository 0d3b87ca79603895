import { isNumber, recall, remember } from "../../io/storage/localStore";

/** The category that was used last, remembered on this computer for each dataset. */
export function rememberedCategory(datasetId: number) {
  const key = `annotator/category/${datasetId}`;
  return {
    get: () => recall(key, isNumber) ?? null,
    set: (id: number) => remember(key, id),
  };
}
