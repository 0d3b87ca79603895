import type { SceneCategory } from "../../../shared/api/offline";
import type { Category } from "../../../shared/entities/category";
import type { CopyStore } from "./copyStore";
import type { DatasetRow } from "./records";

/** Returns the dataset with a category that the server does not have yet, or has created since the last update. */
export function withCategory(row: DatasetRow, category: SceneCategory): DatasetRow {
  const { dataset, categories } = row;
  if (categories.some(({ id }) => id === category.id)) return row;
  const listed = dataset.categories.includes(category.id)
    ? dataset
    : { ...dataset, categories: [...dataset.categories, category.id] };
  return { ...row, dataset: listed, categories: [...categories, category].sort((a, b) => a.id - b.id) };
}

/** Adds a category that the server has created for this user to its dataset, if the dataset is in this browser. */
export function addCategory(store: CopyStore, category: Category, datasetId: number): Promise<void> {
  const own = { ...category, keypoint_removed: [], permissions: { edit: true, delete: true } };
  return store.changeAll(async () => {
    const row = await store.datasets.get(datasetId);
    if (row) await store.datasets.put(withCategory(row, own));
  });
}

/** Adds ids that the server has reserved for categories made in this browser. */
export function addReservedIds(store: CopyStore, ids: readonly number[]): Promise<void> {
  return store.changeAll(async () => {
    await store.settings.put({ key: "categoryIds", value: [...(await idsIn(store)), ...ids] });
  });
}

/** Returns the number of reserved ids that are left. */
export const countReservedIds = async (store: CopyStore): Promise<number> => (await idsIn(store)).length;

/** Removes and returns a reserved id, so that no other category gets it; undefined if none is left. */
export function takeReservedId(store: CopyStore): Promise<number | undefined> {
  return store.changeAll(async () => {
    const [id, ...others] = await idsIn(store);
    if (id !== undefined) await store.settings.put({ key: "categoryIds", value: others });
    return id;
  });
}

async function idsIn(store: CopyStore): Promise<number[]> {
  const setting = await store.settings.get("categoryIds");
  return setting?.key === "categoryIds" ? setting.value : [];
}
