import { readFile } from "node:fs/promises";
import { parentPort, workerData } from "node:worker_threads";
import type { Box, Part } from "../../model/dextr/base/imageSource";
import type { DextrSession } from "../../model/dextr/base/session";
import { type Look, lookAt } from "../../model/dextr/looks/look";
import type { Planes } from "../../model/dextr/looks/tap";
import { embeddingOf, wholeImage } from "../../model/dextr/looks/wholeImage";
import { outline, type Prediction, predict } from "../../model/dextr/segment";
import { cutHoles } from "../../shared/coco/cutHoles";
import { LOOK_PADDING, promptOfJob } from "./lookJob";
import type { Embedding, EmbedJob, FromThread, Job, LookJob, Opening, Outlines, ToThread } from "./messages";
import { enterNative, leaveNative } from "./nativeGate";
import { openModel, Refused } from "./openModel";

/** Entry point of the DEXTR thread: opens the model, then outlines objects, one job after another. */

if (!parentPort) throw new Error("work.ts must run in a worker thread");
const port = parentPort;
const send = (message: FromThread) => port.postMessage(message);

/**
 * Maximum number of cached predictions, a quarter of a megabyte each. Applying another threshold to a cached prediction
 * takes almost no time.
 */
const CACHE_SIZE = 16;
const cache = new Map<string, Prediction>();

const opening: Opening = workerData;
const options = opening.size === null ? {} : { size: opening.size };
const model = await open();
endIfUnneeded();
if (model) {
  const inNative = async <T>(work: () => Promise<T>): Promise<T> => {
    if (!enterNative(opening.gate)) throw new Error("The thread is ending.");
    return work().finally(endIfUnneeded);
  };
  const session: DextrSession = { run: (tensor) => inNative(() => model.run(tensor)) };
  let receive: ((message: ToThread) => void) | undefined;

  const read = async (box: Box): Promise<Part> => {
    send({ read: box });
    const message = await new Promise<ToThread>((resolve) => (receive = resolve));
    if (!("part" in message)) throw new Error("The image cannot be read.");
    return message.part;
  };

  const predictOnce = async ({ imageKey, width, height, request }: Job): Promise<Prediction> => {
    const { threshold: _, ...clicks } = request;
    const key = JSON.stringify([imageKey, clicks]);
    const prediction =
      cache.get(key) ?? (await predict({ width, height, read }, request, request.padding, session, options));
    cache.delete(key);
    cache.set(key, prediction);
    const [oldest = ""] = cache.keys();
    if (cache.size > CACHE_SIZE) cache.delete(oldest);
    return prediction;
  };

  const outlinesOf = async (job: Job): Promise<Outlines> => {
    const rings = outline(await predictOnce(job), job.request.threshold);
    return { rings, pieces: cutHoles(rings, job.width, job.height) };
  };

  const look = async (job: LookJob): Promise<Look> => {
    let planes: Planes | null = null;
    const tapped: DextrSession = {
      async run(tensor) {
        const output = await inNative(() => model.runTapped(tensor));
        planes = output.planes;
        return output.probability;
      },
    };
    const asked = promptOfJob(job);
    if (!asked) return { overlap: null, features: null };
    const { width, height } = job;
    const prediction = await predict({ width, height, read }, asked.prompt, LOOK_PADDING, tapped, options);
    return lookAt(prediction, asked.mask, planes);
  };

  const embed = async ({ pixels, side }: EmbedJob): Promise<Embedding> => {
    const { planes } = await inNative(() => model.runTapped(wholeImage(pixels, side)));
    return planes && embeddingOf(planes);
  };

  const answer = async (message: { job: Job } | { lookJob: LookJob } | { embedJob: EmbedJob }): Promise<FromThread> => {
    if ("job" in message) return { outlines: await outlinesOf(message.job) };
    if ("lookJob" in message) return { look: await look(message.lookJob) };
    return { embedding: await embed(message.embedJob) };
  };

  port.on("message", (message: ToThread) => {
    if (!("job" in message || "lookJob" in message || "embedJob" in message)) return receive?.(message);
    answer(message).then(send, (error: unknown) => send({ failed: reasonOf(error) }));
  });
  send({ opened: true });
}

/** Leaves native code. Ends the thread if it is no longer needed. */
function endIfUnneeded(): void {
  if (!leaveNative(opening.gate)) process.exit();
}

async function open() {
  const onnx = await import("onnxruntime-node").catch((error: unknown) => send({ absent: reasonOf(error) }));
  if (!onnx) return;
  try {
    return await openModel(onnx, await readFile(opening.file), opening);
  } catch (error) {
    send({ refused: error instanceof Refused ? error.message : `It cannot be loaded (${reasonOf(error)}).` });
  }
}

/** Returns the error's message as one line of at most 300 characters. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n")[0]?.slice(0, 300) ?? "";
}
