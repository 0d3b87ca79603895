import { availableParallelism } from "node:os";
import type { Kysely } from "kysely";
import type { Look } from "../../../../model/dextr/looks/look";
import { HttpError } from "../../../base/errors";
import type { Schema } from "../../../db/schema";
import type { Files } from "../../../files/files";
import { ImageError } from "../../../files/paths/imageError";
import type { Dextr } from "../../../onnx/dextr";
import { patientCalls } from "../../../onnx/patientDextr";
import { partReader } from "../../boxes/partReader";
import { countLooks, type LookedImage, type NewLook, storeLooks, unseenAnnotations, unseenImages } from "./lookRows";

export interface LookTools {
  db: Kysely<Schema>;
  files: Files;
  dextr: Dextr;
  signal: AbortSignal;
  /** Id of the task, which stands for a user's id. */
  taskId: number;
  warn: (text: string) => void;
}

/**
 * Number of annotations that one check looks at: some minutes. The next check continues, so that a large dataset has
 * findings after the first one.
 */
export const MOST_LOOKS = 2_000;
/** Number of annotations of a dataset that are compared: those of a check fit into the memory of its thread. */
export const MOST_COMPARED = 100_000;
const MOST_THREADS = 2;
/** Number of annotations that are worth another thread, which opens the model by itself. */
const OF_A_THREAD = 50;

/**
 * Looks with DEXTR at annotations that it has not seen since their last change, and stores what it sees of each image.
 * A repeat continues where the last run ended. `onLook` is called with the share that is done. Returns the number of
 * annotations; none if DEXTR cannot run on this server.
 */
export async function lookAtObjects(
  tools: LookTools,
  dataset: { id: number; folder: string },
  onLook: (share: number) => void,
): Promise<number> {
  const { db, dextr, signal, warn } = tools;
  const most = Math.min(MOST_LOOKS, MOST_COMPARED - (await countLooks(db, dataset.id)));
  const images = most > 0 ? await unseenImages(db, dataset.id, most) : [];
  if (images.length === 0) return 0;
  const total = images.reduce((sum, { unseen }) => sum + unseen, 0);
  const length = Math.min(MOST_THREADS, availableParallelism(), Math.ceil(total / OF_A_THREAD));
  const threads = Array.from({ length }, () => dextr.another({ isTapped: true }));
  let seen = 0;
  const left = [...images];
  const follow = async (thread: Dextr) => {
    const patient = patientCalls(signal, dextr.isWanted);
    for (let image = left.shift(); image; image = left.shift()) {
      signal.throwIfAborted();
      const count = await lookAtImage(tools, thread, patient, dataset, image).catch((error: unknown) => {
        // The other threads begin no further image.
        left.length = 0;
        throw error;
      });
      seen += count;
      onLook(Math.min(1, seen / total));
    }
  };
  const ends = await Promise.allSettled(threads.map(follow));
  await Promise.all(threads.map((thread) => thread.close()));
  signal.throwIfAborted();
  for (const end of ends)
    if (end.status === "rejected") {
      if (!(end.reason instanceof HttpError)) throw end.reason;
      warn(`Categories and outlines were not compared by appearance: ${end.reason.message}`);
      break;
    }
  return seen;
}

async function lookAtImage(
  { db, files, signal, taskId, warn }: LookTools,
  thread: Dextr,
  patient: ReturnType<typeof patientCalls>,
  { id: datasetId, folder }: { id: number; folder: string },
  image: LookedImage,
): Promise<number> {
  const { width, height } = image;
  const read = partReader(files, { ...image, folder });
  const looks: NewLook[] = [];
  try {
    for (const { id: annotation, revision, ...stored } of await unseenAnnotations(db, image.id)) {
      const job = { width, height, ...stored };
      const look = await patient(() => thread.look({ userId: -taskId, job, read, signal }));
      looks.push({ annotation, revision, ...textsOf(look) });
    }
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    warn(`${image.path}: ${error.message}`);
  }
  await storeLooks(db, datasetId, image.hash, looks);
  return looks.length;
}

function textsOf({ overlap, features }: Look): Pick<NewLook, "overlap" | "features"> {
  return { overlap, features: features && Buffer.from(features.buffer).toString("base64") };
}
