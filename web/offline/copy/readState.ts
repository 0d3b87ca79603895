import { compareNaturally } from "../../../shared/text/fold";
import { testOf } from "./chosen";
import type { CopiesState, CopyProgress } from "./copiesState";
import type { CopyStore } from "./copyStore";
import { type DatasetRow, type ImageRow, type ProgressRow, RECENT_LIMIT } from "./records";

const NOTHING = { total: 0, here: 0 };

/** Returns the state of the copies in a database. Rejects if the browser cannot read it. */
export async function readState(store: CopyStore): Promise<CopiesState> {
  const [datasets, progress, recent, limit] = await Promise.all([
    store.datasets.toArray(),
    store.progress.toArray(),
    recentImages(store),
    recentLimit(store),
  ]);
  const byId = new Map(progress.map((row) => [row.id, row]));
  const shown = [
    ...datasets.flatMap((row) => (row.choice ? [progressOf(row, row.choice, byId.get(row.id))] : [])),
    ...progress.flatMap((row) => (row.gone === null ? [] : [lost(row, row.gone)])),
  ];
  const bytes = recent.reduce((sum, { file }) => sum + (file?.bytes ?? 0), 0);
  return {
    state: "loaded",
    reason: null,
    datasets: shown.sort((a, b) => compareNaturally(a.name, b.name)),
    recent: { bytes, limit },
  };
}

function progressOf(row: DatasetRow, choice: NonNullable<DatasetRow["choice"]>, found?: ProgressRow): CopyProgress {
  const { id, dataset, state, problem, syncedAt } = row;
  const { images = NOTHING, bytes = NOTHING } = found ?? {};
  return { datasetId: id, name: dataset.name, state, choice, problem, syncedAt, images, bytes };
}

function lost({ id, name }: ProgressRow, problem: string): CopyProgress {
  const choice = { form: "original", ids: [] } as const;
  return {
    ...{ datasetId: id, name, state: "failed", problem, syncedAt: null, images: NOTHING, bytes: NOTHING },
    choice: { ...choice, ids: [] },
  };
}

/** Returns the rows of images kept only because they were opened, least recently opened first. */
export async function recentImages(store: CopyStore): Promise<ImageRow[]> {
  const opened = await store.images.where("usedAt").above(0).sortBy("usedAt");
  const ids = [...new Set(opened.map(({ dataset_id }) => dataset_id))];
  const rows = await store.datasets.bulkGet(ids);
  const tests = new Map(ids.map((id, i) => [id, testOf(rows[i]?.choice ?? null)]));
  return opened.filter(({ id, dataset_id }) => !tests.get(dataset_id)?.(id));
}

/** Returns the limit for images kept because they were opened, in bytes. */
export async function recentLimit(store: CopyStore): Promise<number> {
  const setting = await store.settings.get("recentLimit");
  return setting?.key === "recentLimit" ? setting.value : RECENT_LIMIT;
}
