import type { InferenceSession, Tensor as OnnxTensor } from "onnxruntime-web/wasm";
import type { DextrSession, Tensor } from "../../model/dextr/base/session";
import { NAMES, signatureFault } from "../../model/dextr/signature";

/** Settings of ONNX Runtime in a browser. */
export type OnnxRuntime = "wasm" | "webgpu";

/** Side of the smallest square that the network takes: enough to see whether it works. */
const SMALLEST = 32;

/** More threads than this gain nothing with a network of this size. */
const MOST_THREADS = 4;

/** The runtime failed while it computed. */
export class OnnxError extends Error {
  override name = "OnnxError";
}

/** Threads of WebAssembly: they need memory that is shared, which only an isolated page has. */
export function threadsHere(): number {
  return globalThis.crossOriginIsolated ? Math.min(MOST_THREADS, navigator.hardwareConcurrency || 1) : 1;
}

/**
 * The network on ONNX Runtime, tried once: WebGPU at the `size` in use, because it compiles its programs meanwhile.
 * `runtimeFile` is the WebAssembly that belongs to the runtime, `model` the ONNX file. Throws an Error for people where
 * the runtime or the file cannot be used.
 */
export async function openOnnx(
  runtime: OnnxRuntime,
  runtimeFile: Uint8Array,
  model: Uint8Array,
  size: number = SMALLEST,
): Promise<DextrSession> {
  // Never the entry without a name: it brings all backends.
  const ort = runtime === "wasm" ? await import("onnxruntime-web/wasm") : await import("onnxruntime-web/webgpu");
  ort.env.wasm.wasmBinary = runtimeFile;
  ort.env.wasm.numThreads = runtime === "wasm" ? threadsHere() : 1;
  ort.env.logLevel = "error";
  const session = await ort.InferenceSession.create(model, { executionProviders: [runtime] }).catch(
    (error: unknown) => {
      throw new Error(`The network cannot be opened: ${messageOf(error)}`);
    },
  );
  const opened = new OnnxSession(session, (data, dims) => new ort.Tensor("float32", data, dims));
  await opened.check(runtime === "webgpu" ? size : SMALLEST);
  return opened;
}

class OnnxSession implements DextrSession {
  constructor(
    private readonly session: InferenceSession,
    private readonly tensor: (data: Float32Array, dims: number[]) => OnnxTensor,
  ) {}

  async run({ data, height, width }: Tensor): Promise<Float32Array> {
    try {
      const answer = await this.session.run({ [NAMES.input]: this.tensor(data, [1, 4, height, width]) });
      const output = (await answer[NAMES.output]?.getData()) as Float32Array | undefined;
      if (output?.length !== height * width) throw new Error("its answer has another size");
      return output;
    } catch (error) {
      throw new OnnxError(`The network could not be run: ${messageOf(error)}`);
    }
  }

  /** Throws where the file is a network, but not one like ours. Shows it a black image without points. */
  async check(size: number): Promise<void> {
    const { inputMetadata, outputMetadata } = this.session;
    const fault = signatureFault(inputMetadata, outputMetadata, NAMES);
    if (fault) throw new Error(`The ONNX file is another network: ${fault}`);
    const data = new Float32Array(4 * size * size).fill(-1, 0, 3 * size * size);
    const output = await this.run({ data, height: size, width: size });
    if (!output.every((value) => value >= 0 && value <= 1))
      throw new Error("The ONNX file is another network: it answers no probabilities.");
  }
}

/** ONNX Runtime throws Errors, texts and numbers (pointers of the C++ side). */
function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  return typeof error === "string" ? error : "the runtime stopped";
}
