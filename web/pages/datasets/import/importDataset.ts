import type { QueryClient } from "@tanstack/react-query";
import { createDataset, importCoco } from "../../../../shared/api/dataset";
import { cancelTask, getTaskLogs, listTasks } from "../../../../shared/api/tasks";
import type { Json } from "../../../../shared/entities/scalars";
import { TASK_GROUPS, type Task } from "../../../../shared/entities/task";
import { patiently } from "../../../io/http/patiently";
import { RequestError, request, upload } from "../../../io/http/request";
import { CATEGORIES_KEY, DATASETS_KEY, TASKS_KEY } from "../../../queries/keys";
import { objectOf } from "../../importReport/report";
import type { UploadQueue, UploadResult, UploadState } from "../../uploads/uploadQueue";
import type { UploadFile } from "../../uploads/uploads";
import { holdWindow, queueOf } from "../../uploads/useUploads";

/** Input for a new dataset. */
export interface Choice {
  name: string;
  /** A COCO file, or a zip of COCO, YOLO or Pascal VOC files. */
  annotations: File;
  images: UploadFile[];
}

/** Progress; `share` goes from 0 to 1. */
export interface Step {
  text: string;
  share: number;
}

/** Progress before it stopped, so that another attempt continues there. */
export interface Progress {
  datasetId?: number;
  /** The import of the annotations, once the server has them. */
  taskId?: number;
  /** Images that are still to be sent. */
  left: UploadFile[];
  /** Files that the server did not take, with its reasons. */
  refused: UploadResult[];
}

interface Options {
  client: QueryClient;
  signal: AbortSignal;
  tell: (step: Step) => void;
}

/** Images that did not reach the server, though nothing is wrong with them. */
export class Unsent extends Error {
  override name = "Unsent";
}

/**
 * Makes a dataset from a file of annotations and its images: the dataset, the images, what comes in zips, then the
 * annotations. Returns the import's report. `progress` is brought up to date on the way: after a failure the same call
 * with it goes on. Until the server has the annotations the window is not closed without a question: nobody else would
 * bring them. An abort ends the server's part too, where it is not over yet. Throws RequestError, Unsent, or the
 * signal's reason.
 */
export async function importDataset(
  { name, annotations }: Choice,
  progress: Progress,
  { client, signal, tell }: Options,
): Promise<Record<string, Json>> {
  const release = holdWindow();
  try {
    tell({ text: "Creating the dataset", share: 0 });
    progress.datasetId ??= (await request(createDataset, { query: { name } })).id;
    signal.throwIfAborted();
    const { datasetId } = progress;
    if (progress.taskId === undefined) {
      await sendImages(queueOf(datasetId, client), progress, signal, tell);
      await untilUnpacked(datasetId, signal, tell);
      progress.taskId = await sendAnnotations(datasetId, annotations, signal, tell);
    }
    release();
    const task = await untilImported(progress.taskId, signal, tell);
    // Another try is another import.
    if (task?.state !== "done") delete progress.taskId;
    if (!task) throw new Error("The import's task was deleted.");
    if (task.state === "cancelled") signal.throwIfAborted();
    if (task.state !== "done") throw new Error(await reasonOf(task));
    return objectOf(task.result ?? undefined);
  } finally {
    release();
    for (const queryKey of [DATASETS_KEY, CATEGORIES_KEY, TASKS_KEY]) void client.invalidateQueries({ queryKey });
  }
}

async function sendImages(queue: UploadQueue, progress: Progress, signal: AbortSignal, tell: Options["tell"]) {
  queue.clear();
  queue.add(progress.left, "");
  const state = await untilSent(queue, signal, ({ done, total, share }) =>
    tell({ text: `Sending images: ${done} of ${total}`, share }),
  );
  progress.left = state.results.flatMap(({ retry }) => retry ?? []);
  progress.refused.push(...state.results.filter(({ isFailure, retry }) => isFailure && !retry));
  signal.throwIfAborted();
  const [first] = state.results.filter(({ retry }) => retry);
  if (first) throw new Unsent(`${progress.left.length} images could not be sent: ${first.message}`);
  queue.clear();
}

/** Resolves when nothing is on its way any more. An abort cancels what is. */
function untilSent(
  queue: UploadQueue,
  signal: AbortSignal,
  onState: (state: UploadState) => void,
): Promise<UploadState> {
  return new Promise((resolve) => {
    const look = () => {
      const state = queue.getState();
      onState(state);
      if (state.isActive) return;
      unsubscribe();
      signal.removeEventListener("abort", cancel);
      resolve(state);
    };
    const cancel = () => queue.cancel();
    const unsubscribe = queue.subscribe(look);
    signal.addEventListener("abort", cancel);
    look();
  });
}

async function untilUnpacked(datasetId: number, signal: AbortSignal, tell: Options["tell"]): Promise<void> {
  await untilTasks(
    ({ dataset_id, group, completed }) => dataset_id === datasetId && group === TASK_GROUPS.upload && !completed,
    (open) => {
      const [task] = open;
      if (task) tell({ text: "Unpacking images", share: task.progress / 100 });
      return open.length === 0;
    },
    signal,
  );
}

/** Milliseconds that an import which was cancelled waits for the response to what is sent. */
const LAST_MS = 10_000;

/**
 * Returns the number of the task that imports them. Once all is sent, an abort waits for that number: without it nobody
 * could stop the task.
 */
async function sendAnnotations(
  datasetId: number,
  annotations: File,
  signal: AbortSignal,
  tell: Options["tell"],
): Promise<number> {
  const sending = new AbortController();
  let isSent = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onProgress = (share: number) => {
    isSent = share >= 1;
    tell({ text: "Sending the annotations", share });
  };
  const handleAbort = () => {
    if (!isSent) return sending.abort(signal.reason);
    tell({ text: "Cancelling the import", share: 1 });
    timer = setTimeout(() => sending.abort(new Unsent(MAY_COME)), LAST_MS);
  };
  onProgress(0);
  signal.throwIfAborted();
  signal.addEventListener("abort", handleAbort);
  try {
    const given = { params: { id: datasetId }, files: [annotations], onProgress, signal: sending.signal };
    return (await upload(importCoco, given)).id;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", handleAbort);
  }
}

const MAY_COME = "The server did not respond. The annotations may still be imported: see Tasks.";

/** Returns the task when it is over, however it ended; undefined if it was deleted. An abort cancels it. */
async function untilImported(id: number, signal: AbortSignal, tell: Options["tell"]): Promise<Task | undefined> {
  let isStopped = false;
  const [task] = await untilTasks(
    (each) => each.id === id,
    async ([now]) => {
      if (now === undefined || now.completed) return true;
      tell({ text: signal.aborted ? "Cancelling the import" : "Importing annotations", share: now.progress / 100 });
      if (signal.aborted && !isStopped) {
        isStopped = true;
        await patiently(() => request(cancelTask, { params: { id } }), OFTEN).catch(unlessOver);
      }
      return false;
    },
  );
  return task;
}

function unlessOver(error: unknown): void {
  if (!(error instanceof RequestError && (error.status === 409 || error.status === 404))) throw error;
}

const LOOK_MS = 700;
/** The work goes on without the page: a server that is away for some time is no reason to give up. */
const OFTEN = { tries: 6, pause: 1_000 };

/** Looks at the tasks that are wanted until `isOver` says so; answers them. */
async function untilTasks(
  isWanted: (task: Task) => boolean,
  isOver: (tasks: Task[]) => boolean | Promise<boolean>,
  signal?: AbortSignal,
): Promise<Task[]> {
  for (;;) {
    const wanted = (await patiently(() => request(listTasks, {}, { signal }), { ...OFTEN, signal })).filter(isWanted);
    if (await isOver(wanted)) return wanted;
    await new Promise((later) => setTimeout(later, LOOK_MS));
    signal?.throwIfAborted();
  }
}

async function reasonOf({ id, state }: Task): Promise<string> {
  if (state === "cancelled") return "The import was cancelled.";
  const { logs } = await patiently(() => request(getTaskLogs, { params: { id } }), OFTEN);
  return logs.findLast((line) => line.includes("[ERROR]"))?.replace(/^.*\[ERROR\] /, "") ?? "The import has failed.";
}
