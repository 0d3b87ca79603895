import { availableParallelism } from "node:os";
import type { InferenceSession } from "onnxruntime-node";
import type { DextrSession, Tensor } from "../../model/dextr/session";
import type { Opening } from "./messages";
import { sha256Of } from "./modelFile";

type Onnx = typeof import("onnxruntime-node");

/** A network that is ready to run. */
export interface Network {
  session: DextrSession;
  /** Side of the square that it must be shown; null where it takes any. */
  size: number | null;
}

/** A file is not the network that it should be. The message says why, as the end of a sentence. */
export class Refused extends Error {}

const TRIAL_SIZE = 64;
const STEP = 32;

/** Loads the network, on half of the cores. Throws Refused, or what the runtime throws. */
export async function openNetwork(onnx: Onnx, bytes: Buffer, { sha256, size, trial }: Opening): Promise<Network> {
  if (sha256Of(bytes) !== sha256) throw new Refused("it has changed since the start");
  const session = await onnx.InferenceSession.create(bytes, {
    intraOpNumThreads: Math.min(4, Math.ceil(availableParallelism() / 2)),
    logSeverityLevel: 3,
  });
  const fixed = checkSignature(session);
  const network = { session: sessionOf(onnx, session), size: fixed ?? size };
  if (trial) await tryOut(network.session, fixed ?? TRIAL_SIZE);
  return network;
}

/** Answers the side of the square where the file fixes it. */
function checkSignature({ inputMetadata, outputMetadata }: InferenceSession): number | null {
  const [input, ...others] = inputMetadata;
  if (input?.name !== "input" || others.length > 0) throw new Refused('it must have one input, named "input"');
  const output = outputMetadata.find(({ name }) => name === "probability");
  if (!output) throw new Refused('it has no output named "probability"');
  if (!input.isTensor || !output.isTensor || input.type !== "float32" || output.type !== "float32")
    throw new Refused("its input and output must be tensors of float32");
  const [count, channels, height, width] = input.shape;
  if (input.shape.length !== 4 || output.shape.length !== 4)
    throw new Refused("its input and output must have four dimensions");
  if (channels !== 4) throw new Refused("its input must have four channels");
  if (typeof count === "number" && count !== 1) throw new Refused("its batch must be 1 or free");
  if (typeof height !== "number" && typeof width !== "number") return null;
  if (height !== width || typeof height !== "number" || height % STEP !== 0)
    throw new Refused(`its height and width must be free, or the same multiple of ${STEP}`);
  return height;
}

/** Crops go through one after another: a batch in one run is no faster on a server's cores, and needs a free batch. */
function sessionOf(onnx: Onnx, session: InferenceSession): DextrSession {
  return {
    async run({ data, count, height, width }: Tensor) {
      const cells = height * width;
      const out = new Float32Array(count * cells);
      for (let i = 0; i < count; i++) {
        const crop = data.subarray(i * 4 * cells, (i + 1) * 4 * cells);
        const input = new onnx.Tensor("float32", crop, [1, 4, height, width]);
        const { probability } = await session.run({ input }, ["probability"]);
        out.set(planeOf(probability, cells), i * cells);
      }
      return out;
    },
  };
}

function planeOf(output: InferenceSession.OnnxValueMapType[string] | undefined, cells: number): Float32Array {
  const data = output && "data" in output ? output.data : undefined;
  if (!(data instanceof Float32Array) || data.length !== cells)
    throw new Refused("it does not answer a probability for each pixel");
  return data;
}

/** On noise. */
async function tryOut(session: DextrSession, side: number): Promise<void> {
  const data = Float32Array.from({ length: 4 * side * side }, (_, i) => ((i * 37) % 101) / 50 - 1);
  const plane = await session.run({ data, count: 1, height: side, width: side });
  if (!plane.every((value) => value >= 0 && value <= 1)) throw new Refused("its answers are no probabilities");
}
