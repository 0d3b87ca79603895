import { readFile } from "node:fs/promises";
import { parentPort, workerData } from "node:worker_threads";
import type { Box, Part } from "../../model/dextr/base/imageSource";
import type { DextrSession } from "../../model/dextr/base/session";
import { outline, type Prediction, predict } from "../../model/dextr/segment";
import { cutHoles } from "../../shared/coco/cutHoles";
import type { FromThread, Job, Opening, Outlines, ToThread } from "./messages";
import { enterNative, leaveNative } from "./nativeGate";
import { openNetwork, Refused } from "./network";

/** Entry of the network's thread: opens the network, then outlines objects, one job after another. */

if (!parentPort) throw new Error("work.ts runs as a thread only");
const port = parentPort;
const tell = (message: FromThread) => port.postMessage(message);

/** A prediction takes a quarter of a megabyte; another threshold on one that is kept costs next to nothing. */
const KEPT = 16;
const kept = new Map<string, Prediction>();

const opening: Opening = workerData;
const options = opening.size === null ? {} : { size: opening.size };
const network = await open();
goOn();
if (network) {
  const session: DextrSession = {
    async run(tensor) {
      if (!enterNative(opening.gate)) throw new Error("The thread is ended.");
      return network.run(tensor).finally(goOn);
    },
  };
  let answered: ((message: ToThread) => void) | undefined;

  const read = async (box: Box): Promise<Part> => {
    tell({ read: box });
    const message = await new Promise<ToThread>((resolve) => (answered = resolve));
    if (!("part" in message)) throw new Error("The image cannot be read.");
    return message.part;
  };

  const predictOnce = async ({ imageKey, width, height, request }: Job): Promise<Prediction> => {
    const { points, more, padding } = request;
    const key = JSON.stringify([imageKey, points, more, padding]);
    const prediction =
      kept.get(key) ?? (await predict({ width, height, read }, [...points, ...more], padding, session, options));
    kept.delete(key);
    kept.set(key, prediction);
    const [oldest = ""] = kept.keys();
    if (kept.size > KEPT) kept.delete(oldest);
    return prediction;
  };

  const outlinesOf = async (job: Job): Promise<Outlines> => {
    const rings = outline(await predictOnce(job), job.request.threshold);
    return { rings, pieces: cutHoles(rings, job.width, job.height) };
  };

  port.on("message", (message: ToThread) => {
    if (!("job" in message)) return answered?.(message);
    outlinesOf(message.job).then(
      (outlines) => tell({ outlines }),
      (error: unknown) => tell({ failed: reasonOf(error) }),
    );
  });
  tell({ opened: true });
}

/** Out of native code. Where the thread is no longer wanted it ends here. */
function goOn(): void {
  if (!leaveNative(opening.gate)) process.exit();
}

async function open() {
  const onnx = await import("onnxruntime-node").catch((error: unknown) => tell({ absent: reasonOf(error) }));
  if (!onnx) return;
  try {
    return await openNetwork(onnx, await readFile(opening.file), opening);
  } catch (error) {
    tell({ refused: error instanceof Refused ? error.message : `It cannot be loaded (${reasonOf(error)}).` });
  }
}

/** One line. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n")[0]?.slice(0, 300) ?? "";
}
