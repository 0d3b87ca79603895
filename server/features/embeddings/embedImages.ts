import { availableParallelism } from "node:os";
import type { Kysely } from "kysely";
import { SIZE } from "../../../model/dextr/base/recipe";
import type { Schema } from "../../db/schema";
import type { Files } from "../../files/files";
import { ImageError } from "../../files/paths/imageError";
import type { Dextr } from "../../onnx/dextr";
import { patientCalls } from "../../onnx/patientDextr";
import {
  countEmbeddings,
  forgetOtherNetworks,
  storeEmbedding,
  type UnknownImage,
  unknownImages,
} from "./embeddingRows";

export interface EmbeddingTools {
  db: Kysely<Schema>;
  files: Files;
  dextr: Dextr;
  signal: AbortSignal;
  /** Id of the task, which stands for a user's id. */
  taskId: number;
  progress: (percent: number) => void;
  warn: (text: string) => void;
}

/** Number of images that are listed at once. */
const PAGE = 200;
const MOST_THREADS = 2;
/** Number of images that are worth another thread, which opens the model by itself. */
const OF_A_THREAD = 50;
/** Number of images that cannot be read and are written to the log. */
const MOST_LOGGED = 100;
/** Begins the name of what computes embeddings. Raise it if the same network gives other numbers. */
const METHOD = "mean 1";

/**
 * Computes the embeddings that a dataset's images lack, image by image, and stores each. A repeat continues where the
 * last run ended, and tries images again that could not be read. Throws an Error if the network cannot run or describes
 * no images.
 */
export async function embedImages(
  tools: EmbeddingTools,
  dataset: { id: number; folder: string },
): Promise<{ compared: number; unreadable: number }> {
  const { db, dextr, signal, progress, warn } = tools;
  const network = `${METHOD} ${(await dextr.model())?.sha256 ?? ""}`;
  await forgetOtherNetworks(db, dataset.id, network);
  const { images, compared } = await countEmbeddings(db, dataset.id);
  const total = images - compared;
  const count = { compared: 0, unreadable: 0 };
  const next = eachUnknown(db, dataset.id);
  const patient = () => patientCalls(signal, dextr.isWanted);

  const embed = async (thread: Dextr, turn: ReturnType<typeof patient>, image: UnknownImage) => {
    signal.throwIfAborted();
    const pixels = await orReason(() => tools.files.images.colours({ ...image, folder: dataset.folder }, SIZE));
    if (typeof pixels === "string") {
      if (++count.unreadable <= MOST_LOGGED) warn(`${image.path}: ${pixels}`);
      await storeEmbedding(db, image, network, null);
    } else {
      const job = { pixels, side: SIZE };
      const embedding = await turn(() => thread.embed({ userId: -tools.taskId, job, signal }));
      if (!embedding) throw new Error("The network of this server cannot describe images.");
      await storeEmbedding(db, image, network, embedding);
      count.compared++;
    }
    progress(Math.min(99, (100 * (count.compared + count.unreadable)) / Math.max(1, total)));
  };

  const length = Math.min(MOST_THREADS, availableParallelism(), Math.ceil(total / OF_A_THREAD));
  const threads = Array.from({ length }, () => dextr.another({ isTapped: true }));
  let isFailed = false;
  const follow = async (thread: Dextr) => {
    const turn = patient();
    for (let image = await next(); image && !isFailed; image = await next())
      await embed(thread, turn, image).catch((error: unknown) => {
        // The other threads begin no further image.
        isFailed = true;
        throw error;
      });
  };
  const ends = await Promise.allSettled(threads.map(follow));
  await Promise.all(threads.map((thread) => thread.close()));
  signal.throwIfAborted();
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  return count;
}

/** Returns a function that returns one image without an embedding after the other, undefined at the end. */
function eachUnknown(db: Kysely<Schema>, datasetId: number): () => Promise<UnknownImage | undefined> {
  const list = (async function* () {
    for (let last = 0; ; ) {
      const page = await unknownImages(db, datasetId, last, PAGE);
      if (page.length === 0) return;
      yield* page;
      last = page.at(-1)!.id;
    }
  })();
  return async () => (await list.next()).value ?? undefined;
}

/** Returns the result of `read`, or the reason why the image cannot be read. */
async function orReason<T>(read: () => Promise<T>): Promise<T | string> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ImageError) return error.message;
    throw error;
  }
}
