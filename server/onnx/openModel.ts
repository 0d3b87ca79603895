import { availableParallelism } from "node:os";
import { type DextrSession, PLANES, type Tensor } from "../../model/dextr/base/session";
import { type Planes, TAP, withTap } from "../../model/dextr/looks/tap";
import { inputFor, NAMES, signatureFault } from "../../model/dextr/signature";
import type { Opening } from "./messages";
import { sha256Of } from "./modelFile";

type Onnx = typeof import("onnxruntime-node");
type Session = Awaited<ReturnType<Onnx["InferenceSession"]["create"]>>;

/** The file is not the expected model. The message is the reason, as a sentence. */
export class Refused extends Error {}

const TRIAL_SIZE = 64;

export interface OpenModel extends DextrSession {
  /** Returns the probabilities, and the tapped layer; null if the model has none or was not opened with it. */
  runTapped(input: Tensor): Promise<{ probability: Float32Array; planes: Planes | null }>;
}

/** Loads the model, which runs on half of the cores, at most four. Throws Refused, or an error of the runtime. */
export async function openModel(onnx: Onnx, bytes: Buffer, { sha256, trial, isTapped }: Opening): Promise<OpenModel> {
  if (sha256Of(bytes) !== sha256) throw new Refused("It has changed since the server started.");
  const session = await onnx.InferenceSession.create((isTapped && withTap(bytes)) || bytes, {
    intraOpNumThreads: Math.min(4, Math.ceil(availableParallelism() / 2)),
    logSeverityLevel: 3,
  });
  const { inputMetadata, outputMetadata } = session;
  const fault = signatureFault(
    inputMetadata,
    outputMetadata.filter(({ name }) => name !== TAP),
    NAMES,
  );
  if (fault) throw new Refused(fault);
  const runTapped = (tensor: Tensor) => run(onnx, session, tensor);
  const model = { runTapped, run: async (tensor: Tensor) => (await runTapped(tensor)).probability };
  if (trial) await tryOut(model);
  return model;
}

async function run(onnx: Onnx, session: Session, tensor: Tensor) {
  const { height, width } = tensor;
  const { data, dims } = inputFor(session.inputMetadata, tensor);
  const result = await session.run({ [NAMES.input]: new onnx.Tensor("float32", data, dims) });
  const output = result[NAMES.output]?.data;
  if (output instanceof Float32Array && output.length === height * width)
    return { probability: output, planes: planesOf(result[TAP]) };
  throw new Refused("It does not return one probability for each pixel.");
}

function planesOf(tensor: { data: unknown; dims: readonly number[] } | undefined): Planes | null {
  if (!(tensor?.data instanceof Float32Array)) return null;
  const [, channels = 0, height = 0, width = 0] = tensor.dims;
  return { data: tensor.data, channels, height, width };
}

/** Runs the model on a crop of noise. Throws Refused if the outputs are not probabilities. */
async function tryOut(model: DextrSession): Promise<void> {
  const data = Float32Array.from({ length: PLANES * TRIAL_SIZE ** 2 }, (_, i) => ((i * 37) % 101) / 50 - 1);
  const output = await model.run({ data, height: TRIAL_SIZE, width: TRIAL_SIZE });
  if (!output.every((value) => value >= 0 && value <= 1)) throw new Refused("Its outputs are not probabilities.");
}
