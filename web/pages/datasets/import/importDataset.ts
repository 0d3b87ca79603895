import { plural, t } from "@lingui/core/macro";
import type { QueryClient } from "@tanstack/react-query";
import { createDataset } from "../../../../shared/api/datasets/dataset";
import { importCoco } from "../../../../shared/api/datasets/imports";
import { cancelTask, getTaskLogs, listTasks } from "../../../../shared/api/tasks";
import { anySignal } from "../../../../shared/async/signals";
import type { Json } from "../../../../shared/entities/scalars";
import { TASK_GROUPS, type Task } from "../../../../shared/entities/task";
import { RequestError, request, upload } from "../../../io/http/request";
import { retryWhileUnreachable } from "../../../io/http/retryWhileUnreachable";
import { sessionSignal } from "../../../io/http/sessionCalls";
import { CATEGORIES_KEY, DATASETS_KEY, TASKS_KEY } from "../../../queries/keys";
import { noteFollowedTask } from "../../../queries/tasks";
import { objectOf } from "../../importReport/report";
import type { UploadQueue, UploadResult, UploadState } from "../../uploads/uploadQueue";
import type { UploadFile } from "../../uploads/uploads";
import { holdWindow, queueOf } from "../../uploads/useUploads";

/** The user's input for a new dataset. */
export interface Choice {
  name: string;
  /** A COCO file, or a zip of COCO, YOLO or Pascal VOC files. */
  annotations: File;
  images: UploadFile[];
}

/** The current step, shown as text with a progress bar. */
export interface Step {
  text: string;
  /** Progress within the step, 0 to 1. */
  share: number;
}

/** State of an import so far, from which another attempt continues. */
export interface Progress {
  datasetId?: number;
  /** Task that imports the annotations, once the server has received them. */
  taskId?: number;
  /** Images still to be sent. */
  left: UploadFile[];
  /** Files that the server refused, with its reasons. */
  refused: UploadResult[];
}

interface Options {
  client: QueryClient;
  signal: AbortSignal;
  onStep: (step: Step) => void;
}

/** Thrown if valid images or annotations may not have reached the server. */
export class Unsent extends Error {
  override name = "Unsent";
}

/**
 * Creates a dataset from a file of annotations and its images: creates the dataset, uploads the images, waits until
 * zips are unpacked, then imports the annotations. Returns the import's report.
 *
 * `progress` is updated along the way; after a failure, another call with the same `progress` continues. Closing the
 * window asks for confirmation until the server has received the annotations. An abort also cancels the running
 * import on the server. Throws RequestError, Unsent, the signal's reason, or SessionEnded: nothing is done in the next
 * user's session.
 */
export async function importDataset(
  { name, annotations }: Choice,
  progress: Progress,
  { client, signal, onStep }: Options,
): Promise<Record<string, Json>> {
  signal.throwIfAborted();
  const release = holdWindow();
  const session = sessionSignal();
  try {
    onStep({ text: t`Creating the dataset`, share: 0 });
    progress.datasetId ??= (await request(createDataset, { query: { name } })).id;
    signal.throwIfAborted();
    const { datasetId } = progress;
    if (progress.taskId === undefined) {
      await sendImages(queueOf(datasetId, client), progress, [session, signal], onStep);
      await untilUnpacked(datasetId, [session, signal], onStep);
      progress.taskId = await sendAnnotations(datasetId, annotations, signal, onStep);
      noteFollowedTask(progress.taskId);
    }
    release();
    const task = await untilImported(progress.taskId, { session, signal }, onStep);
    // Another attempt needs a new import task.
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

/** An abort of any signal ends a step. */
type Signals = readonly [session: AbortSignal, signal: AbortSignal];

async function sendImages(queue: UploadQueue, progress: Progress, signals: Signals, onStep: Options["onStep"]) {
  queue.clear();
  queue.add(progress.left, "");
  const state = await untilSent(queue, signals[1], ({ done, total, share }) =>
    onStep({ text: t`Sending images: ${done} of ${total}`, share }),
  );
  progress.left = state.results.flatMap(({ retry }) => retry ?? []);
  progress.refused.push(...state.results.filter(({ isFailure, retry }) => isFailure && !retry));
  for (const signal of signals) signal.throwIfAborted();
  const [first] = state.results.filter(({ retry }) => retry);
  if (first) {
    const { message } = first;
    throw new Unsent(
      plural(progress.left.length, {
        one: `# image could not be sent: ${message}`,
        other: `# images could not be sent: ${message}`,
      }),
    );
  }
  queue.clear();
}

/** Resolves when the queue is no longer active. An abort cancels its uploads. */
function untilSent(
  queue: UploadQueue,
  signal: AbortSignal,
  onState: (state: UploadState) => void,
): Promise<UploadState> {
  return new Promise((resolve) => {
    const handleChange = () => {
      const state = queue.getState();
      onState(state);
      if (state.isActive) return;
      unsubscribe();
      signal.removeEventListener("abort", cancel);
      resolve(state);
    };
    const cancel = () => queue.cancel();
    const unsubscribe = queue.subscribe(handleChange);
    signal.addEventListener("abort", cancel);
    handleChange();
  });
}

async function untilUnpacked(datasetId: number, signals: Signals, onStep: Options["onStep"]): Promise<void> {
  await untilTasks(
    ({ dataset_id, group, completed }) => dataset_id === datasetId && group === TASK_GROUPS.upload && !completed,
    (open) => {
      const [task] = open;
      if (task) onStep({ text: t`Unpacking images`, share: task.progress / 100 });
      return open.length === 0;
    },
    signals,
  );
}

/** Time for which a cancelled import waits for the response to a file that is already sent. */
const RESPONSE_TIMEOUT_MS = 10_000;

/**
 * Sends the annotations. Returns the id of the task that imports them. Once the file is sent completely, an abort
 * waits for the response, because the task can only be cancelled by its id.
 */
async function sendAnnotations(
  datasetId: number,
  annotations: File,
  signal: AbortSignal,
  onStep: Options["onStep"],
): Promise<number> {
  const sending = new AbortController();
  let isSent = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onProgress = (share: number) => {
    isSent = share >= 1;
    onStep({ text: t`Sending the annotations`, share });
  };
  const handleAbort = () => {
    if (!isSent) return sending.abort(signal.reason);
    onStep({ text: t`Cancelling the import`, share: 1 });
    timer = setTimeout(() => sending.abort(new Unsent(noResponse())), RESPONSE_TIMEOUT_MS);
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

const noResponse = (): string => t`The server did not respond. The annotations may still be imported: see Tasks.`;

/**
 * Resolves with the task once it has ended in any state; undefined if it was deleted. An abort of `signal` cancels the
 * task.
 */
async function untilImported(
  id: number,
  { session, signal }: { session: AbortSignal; signal: AbortSignal },
  onStep: Options["onStep"],
): Promise<Task | undefined> {
  let isStopped = false;
  const [task] = await untilTasks(
    (each) => each.id === id,
    async ([now]) => {
      if (now === undefined || now.completed) return true;
      onStep({ text: signal.aborted ? t`Cancelling the import` : t`Importing annotations`, share: now.progress / 100 });
      if (signal.aborted && !isStopped) {
        isStopped = true;
        await retryWhileUnreachable(() => request(cancelTask, { params: { id } }), RETRIES).catch(unlessOver);
      }
      return false;
    },
    [session],
  );
  return task;
}

function unlessOver(error: unknown): void {
  if (!(error instanceof RequestError && (error.status === 409 || error.status === 404))) throw error;
}

/** Polling interval of the tasks, in milliseconds. */
const POLL_MS = 700;
/** Retries of a request. The task continues without the page, so a short outage must not end the import. */
const RETRIES = { tries: 6, pause: 1_000 };

/** Polls the tasks that match `matches` until `isOver` returns true for them. Returns the matching tasks. */
async function untilTasks(
  matches: (task: Task) => boolean,
  isOver: (tasks: Task[]) => boolean | Promise<boolean>,
  signals: readonly AbortSignal[],
): Promise<Task[]> {
  const { signal, stop } = anySignal(signals);
  try {
    for (;;) {
      const matching = (
        await retryWhileUnreachable(() => request(listTasks, {}, { signal }), { ...RETRIES, signal })
      ).filter(matches);
      if (await isOver(matching)) return matching;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      signal.throwIfAborted();
    }
  } finally {
    stop();
  }
}

async function reasonOf({ id, state }: Task): Promise<string> {
  if (state === "cancelled") return t`The import was cancelled.`;
  const { logs } = await retryWhileUnreachable(() => request(getTaskLogs, { params: { id } }), RETRIES);
  return logs.findLast((line) => line.includes("[ERROR]"))?.replace(/^.*\[ERROR\] /, "") ?? t`The import failed.`;
}
