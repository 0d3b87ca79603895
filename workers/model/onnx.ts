import type { InferenceSession, Tensor as OnnxTensor } from "onnxruntime-web/wasm";
import { type DextrSession, PLANES, type Tensor } from "../../model/dextr/base/session";
import { inputFor, NAMES, signatureFault } from "../../model/dextr/signature";

/** Variants of ONNX Runtime in a browser. */
export type OnnxRuntime = "wasm" | "webgpu";

/** Width and height of the smallest input that is large enough to check that the network works. */
const SMALLEST = 32;

/** Number of threads above which a network of this size does not run faster. */
const MAX_THREADS = 4;

/** Error for a failure of the runtime during a run. */
export class OnnxError extends Error {
  override name = "OnnxError";
}

/**
 * Returns the number of WebAssembly threads. They need shared memory, which only a cross-origin isolated page has, and
 * not in every browser.
 */
export function threadsHere(): number {
  const isShared = globalThis.crossOriginIsolated && typeof SharedArrayBuffer !== "undefined";
  return isShared ? Math.min(MAX_THREADS, navigator.hardwareConcurrency || 1) : 1;
}

/**
 * Opens the network on ONNX Runtime and runs it once; with WebGPU at the current `size`, since that also compiles its
 * shaders. `runtimeFile` is the WebAssembly of the runtime, `model` the ONNX file. Throws an Error, whose message is
 * shown to the user, if the runtime or the file cannot be used.
 */
export async function openOnnx(
  runtime: OnnxRuntime,
  runtimeFile: Uint8Array,
  model: Uint8Array,
  size: number = SMALLEST,
): Promise<DextrSession> {
  // Never import the package's main entry, which includes all backends.
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

  async run(tensor: Tensor): Promise<Float32Array> {
    const { height, width } = tensor;
    try {
      const { data, dims } = inputFor(this.session.inputMetadata, tensor);
      const outputs = await this.session.run({ [NAMES.input]: this.tensor(data, dims) });
      const output = (await outputs[NAMES.output]?.getData()) as Float32Array | undefined;
      if (output?.length !== height * width) throw new Error("its output has the wrong size");
      return output;
    } catch (error) {
      throw new OnnxError(`The network could not be run: ${messageOf(error)}`);
    }
  }

  /** Runs the network on a black image without points. Throws if it is not a DEXTR network. */
  async check(size: number): Promise<void> {
    const { inputMetadata, outputMetadata } = this.session;
    const fault = signatureFault(inputMetadata, outputMetadata, NAMES);
    if (fault) throw new Error(`The ONNX file is not a DEXTR network: ${fault}`);
    const data = new Float32Array(PLANES * size * size).fill(-1, 0, 3 * size * size);
    const output = await this.run({ data, height: size, width: size });
    if (!output.every((value) => value >= 0 && value <= 1))
      throw new Error("The ONNX file is not a DEXTR network: its output is not probabilities.");
  }
}

/** Returns the message of an error. ONNX Runtime throws Errors, strings and numbers (C++ pointers). */
function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  return typeof error === "string" ? error : "the runtime stopped";
}
