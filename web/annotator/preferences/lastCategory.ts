import { isNumber, recall, remember } from "../../io/storage/localStore";

/** Number of recently used categories that are remembered. */
const MAX_RECENT = 8;

const areNumbers = (value: unknown): value is number[] => Array.isArray(value) && value.every(isNumber);

/** Returns access to the ids of the categories last used in a dataset, remembered in this browser. */
export function rememberedCategory(datasetId: number) {
  const key = `annotator/category/${datasetId}`;
  const recentKey = `annotator/categories/${datasetId}`;
  /** Returns the ids of the recently used categories, the latest first. */
  const recent = (): number[] => recall(recentKey, areNumbers) ?? [];
  return {
    get: () => recall(key, isNumber) ?? null,
    recent,
    set: (id: number) => {
      remember(key, id);
      remember(recentKey, [id, ...recent().filter((other) => other !== id)].slice(0, MAX_RECENT));
    },
  };
}
