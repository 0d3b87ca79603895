import { t } from "@lingui/core/macro";
import { getDatasets } from "../../../shared/api/datasets/dataset";
import { getManifest } from "../../../shared/api/offline";
import { RequestError } from "../../../shared/api/protocol/requestError";
import { changeState } from "../copy/choices";
import type { CopyStore } from "../copy/copyStore";
import type { CopyState, DatasetRow } from "../copy/records";
import { forgetDataset } from "../copy/removal";
import { downloadFiles } from "./files";
import { applyManifest } from "./manifest";
import { isQuotaError, type Outcome, outcomeOf } from "./outcome";
import type { DownloadPorts } from "./ports";
import { downloadScenes } from "./scenes";

/** States in which an update may run. Any other state, set by this or another tab, ends the update. */
export const UPDATING: readonly CopyState[] = ["running", "complete"];

const gone = (): string =>
  t`This dataset was deleted, or you no longer have access to it. Its copy was removed from this browser. Changes that are not on the server yet are kept.`;

interface Wanted {
  /** Id of the dataset. */
  id: number;
  /** Resolves when the data that all datasets need, such as DEXTR, have been downloaded or could not be. */
  shared: Promise<unknown>;
}

/**
 * Brings a chosen dataset up to date: manifest, then scenes and files that are missing or outdated. Continues after an
 * interruption, because a row without its scene or file counts as missing. Stores the outcome in the dataset's row.
 */
export async function updateDataset(
  store: CopyStore,
  ports: DownloadPorts,
  { id: datasetId, shared }: Wanted,
  signal: AbortSignal,
): Promise<Outcome> {
  const begun = Date.now();
  // A complete dataset keeps this state until its manifest shows that something is missing.
  await changeState(store, datasetId, ["waiting", "failed"], { state: "running", problem: null });
  const outcome = await download(store, ports, { id: datasetId, shared }, signal).catch((error: unknown) =>
    outcomeOf(error, signal),
  );
  await changeState(store, datasetId, UPDATING, nextState(outcome, begun)).catch((error: unknown) => {
    // A full storage may refuse even to store that it is full.
    if (outcome.kind !== "failed" || !isQuotaError(error)) throw error;
  });
  return outcome;
}

function nextState(outcome: Outcome, begun: number): Partial<Pick<DatasetRow, "state" | "problem" | "syncedAt">> {
  if (outcome.kind === "complete") return { state: "complete", problem: null, syncedAt: begun };
  if (outcome.kind === "failed") return { state: "failed", problem: outcome.problem };
  return {};
}

async function download(
  store: CopyStore,
  ports: DownloadPorts,
  { id: datasetId, shared }: Wanted,
  signal: AbortSignal,
): Promise<Outcome> {
  const params = { id: datasetId };
  const manifest = await ports.request(getManifest, { params }, { signal }).catch(async (error: unknown) => {
    if (await isGone(error, ports, datasetId, signal)) return null;
    throw error;
  });
  signal.throwIfAborted();
  if (!manifest) {
    await markAsGone(store, datasetId);
    return { kind: "complete" };
  }
  const row = await applyManifest(store, manifest);
  if (!row) return { kind: "complete" };
  if (!(await isComplete(store, datasetId))) await changeState(store, datasetId, ["complete"], { state: "running" });
  await downloadScenes(store, ports, row, signal);
  const problem = await downloadFiles(store, ports, row, signal);
  if (problem) return { kind: "failed", problem };
  await shared;
  // Images that changed during the download are left to the next update.
  return { kind: "complete" };
}

async function isComplete(store: CopyStore, datasetId: number): Promise<boolean> {
  const progress = await store.progress.get(datasetId);
  return progress !== undefined && progress.images.here === progress.images.total;
}

/**
 * Returns true if this dataset is not among the user's datasets. A response with status 404 or 403 does not prove it,
 * because a misconfigured proxy may send one too.
 */
async function isGone(
  error: unknown,
  { request }: DownloadPorts,
  datasetId: number,
  signal: AbortSignal,
): Promise<boolean> {
  if (!(error instanceof RequestError) || ![403, 404].includes(error.status)) return false;
  for (let page = 1; ; page++) {
    const { datasets, pagination } = await request(getDatasets, { query: { page, limit: 100 } }, { signal });
    if (datasets.some(({ id }) => id === datasetId)) return false;
    if (page >= pagination.pages) return true;
  }
}

/** Removes the dataset's data and leaves a message for the user. The journal of edits is not touched. */
function markAsGone(store: CopyStore, datasetId: number): Promise<void> {
  return store.changeAll(async () => {
    const row = await store.datasets.get(datasetId);
    if (!row) return;
    await forgetDataset(store, datasetId);
    const nothing = { total: 0, here: 0 };
    const { name } = row.dataset;
    await store.progress.put({ id: datasetId, name, images: { ...nothing }, bytes: { ...nothing }, gone: gone() });
  });
}
