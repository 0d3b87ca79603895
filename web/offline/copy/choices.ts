import type { CopyStore } from "./copyStore";
import type { CopyState, DatasetRow } from "./records";

/**
 * Changes the state of a dataset if it is one of the states `from`: another tab may have paused or removed the dataset.
 * Returns the row after the change, or undefined.
 */
export function changeState(
  store: CopyStore,
  datasetId: number,
  from: readonly CopyState[],
  next: Partial<Pick<DatasetRow, "state" | "problem" | "syncedAt">>,
): Promise<DatasetRow | undefined> {
  return store.changeAll(async () => {
    const row = await store.datasets.get(datasetId);
    if (!row?.choice || !from.includes(row.state)) return undefined;
    const after = { ...row, ...next };
    await store.datasets.put(after);
    return after;
  });
}
