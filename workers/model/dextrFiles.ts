import asyncifyFile from "onnxruntime-web/ort-wasm-simd-threaded.asyncify.wasm?cached";
import wasmFile from "onnxruntime-web/ort-wasm-simd-threaded.wasm?cached";
import modelFile from "../../model/dextr.onnx?cached";
import type { CachedFile } from "./cachedFile";
import type { OnnxRuntime } from "./onnx";

/** Returns the WebAssembly file of a runtime. */
export const runtimeFileOf = (runtime: OnnxRuntime): CachedFile =>
  absolute(runtime === "wasm" ? wasmFile : asyncifyFile);

/** Returns the file of the server's network, `model`; the built-in file if `model` is null or has the same content. */
export function networkFileOf(model: CachedFile | null): CachedFile {
  const builtIn = absolute(modelFile);
  return model && model.sha256 !== builtIn.sha256 ? model : builtIn;
}

const absolute = (file: CachedFile): CachedFile => ({
  ...file,
  address: new URL(file.address, self.location.href).href,
});
