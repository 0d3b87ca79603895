import { availableParallelism } from "node:os";
import { z } from "zod";
import { type BoxChange, countRecorded, deleteOldBoxes } from "../features/boxes/boxesBefore";
import { type ImageInFolder, outlineImage } from "../features/boxes/outlineImage";
import { boxSelection, countBoxes, imagesWithBoxes } from "../features/boxes/selectBoxes";
import { invalidateCachedFigures } from "../features/images/staleWhileRevalidate";
import { currentUserById } from "../features/imports/store/importRow";
import { ImageError } from "../files/paths/imageError";
import { patientDextr } from "../onnx/patientDextr";
import type { Payload, TaskHelpers } from "../queue/task";
import { liveDataset } from "./common/liveDataset";
import type { TaskTools } from "./common/tools";

const payloadOf = z.object({ change: z.uuid(), person_id: z.number(), selection: boxSelection });

/** Number of images read from the list at a time. */
const PAGE = 100;
const MOST_DELETED = 10_000;

type Tools = TaskHelpers & TaskTools;
type Outline = ReturnType<typeof patientDextr>;

/**
 * Replaces a dataset's boxes with the outlines that DEXTR finds, image by image, and records the boxes for undo. Boxes
 * that were drawn after the command stay. A repeated task continues, because outlined annotations are no longer boxes.
 * Images that cannot be read are logged.
 */
export async function outlineBoxes(payload: Payload, tools: Tools) {
  const { db, signal, progress, info } = tools;
  const { change: id, person_id, selection } = payloadOf.parse(payload);
  const dataset = await liveDataset(db, selection.dataset_id);
  const user = await currentUserById(db, person_id);
  const change: BoxChange = { id, dataset_id: dataset.id, person_id };
  await deleteOldBoxes(db, MOST_DELETED);
  const { boxes: total } = await countBoxes(db, selection);
  const count = { outlined: 0, seen: 0, failed: 0 };

  const work = async ({ id: imageId, boxes }: { id: number; boxes: number }, outline: Outline) => {
    signal.throwIfAborted();
    if (boxes === 0) return;
    const image = await findImage(tools, imageId, dataset.folder);
    const outlined =
      image && (await orWarn(tools, image, () => outlineImage({ ...tools, outline }, user, change, selection, image)));
    count.seen += boxes;
    count.outlined += outlined ?? 0;
    if (outlined === undefined) count.failed += boxes;
    progress(Math.min(99, (100 * count.seen) / Math.max(1, total)));
  };
  await withThreads(tools, async (threads) => {
    for (let last = 0; ; ) {
      const page = await imagesWithBoxes(db, selection, last, PAGE);
      if (page.length === 0) break;
      last = page.at(-1)!.id;
      // twice: with each thread, one image is decoded or stored while another runs
      await inLanes(page, [...threads, ...threads], work);
      invalidateCachedFigures(db, dataset.id);
    }
  });
  const { failed } = count;
  const kept = count.seen - count.outlined - failed;
  // With those that were outlined before the server was killed.
  const outlined = await countRecorded(db, id);
  info(`${outlined} boxes outlined, ${kept} kept as boxes, ${failed} on images that cannot be read.`);
  return { what: "outlineBoxes", outlined, kept, failed, undo: outlined > 0 ? id : null };
}

/**
 * Calls `work` with a function that runs the network in the server's thread, and with one for a second thread if the
 * machine has the cores. The second one rests while users need the network.
 */
async function withThreads({ dextr, taskId, signal }: Tools, work: (threads: Outline[]) => Promise<void>) {
  const first = patientDextr(dextr, -taskId, signal);
  if (availableParallelism() < 2) return work([first]);
  const another = dextr.another();
  try {
    await work([first, patientDextr(another, -taskId, signal, dextr.isWanted)]);
  } finally {
    await another.close();
  }
}

/**
 * Calls `work` for all items, each with a free lane. Rejects with the first failure when all lanes have ended.
 */
async function inLanes<T, L>(
  items: readonly T[],
  lanes: readonly L[],
  work: (item: T, lane: L) => Promise<void>,
): Promise<void> {
  const left = [...items];
  let isFailed = false;
  const follow = async (lane: L) => {
    for (let item = left.shift(); item !== undefined && !isFailed; item = left.shift())
      await work(item, lane).catch((error: unknown) => {
        isFailed = true;
        throw error;
      });
  };
  const ended = await Promise.allSettled(lanes.map(follow));
  for (const each of ended) if (each.status === "rejected") throw each.reason;
}

async function findImage({ db }: Tools, id: number, folder: string): Promise<ImageInFolder | undefined> {
  const row = await db.selectFrom("images").selectAll().where("id", "=", id).executeTakeFirst();
  return row && { ...row, folder };
}

/** Returns the result of `work`. If the image cannot be read, logs the reason and returns undefined. */
async function orWarn(
  { warn }: Tools,
  { id }: ImageInFolder,
  work: () => Promise<number>,
): Promise<number | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    warn(`Image ${id}: ${error.message}`);
    return undefined;
  }
}
