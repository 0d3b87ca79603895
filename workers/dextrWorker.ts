import { expose, transfer } from "comlink";
import asyncifyFile from "onnxruntime-web/ort-wasm-simd-threaded.asyncify.wasm?cached";
import wasmFile from "onnxruntime-web/ort-wasm-simd-threaded.wasm?cached";
import type { DextrRequest } from "../model/dextr/base/request";
import type { Prediction } from "../model/dextr/segment";
import modelFile from "../model/dextr.onnx?cached";
import { buffersOf } from "../shared/geometry/packed";
import {
  holdImage,
  measureDextr,
  type OnLoad,
  openDextr,
  outlineOf,
  releaseImage,
  segmentImage,
} from "./functions/dextr";
import { life } from "./life";
import type { CachedFile } from "./model/cachedFile";
import type { OnnxRuntime } from "./model/onnx";
import { transferRings } from "./transferRings";

/** The page's settings for the network. */
export interface DextrSetup {
  runtime: OnnxRuntime;
  /** A network other than the built-in one, with an absolute address; null for the built-in one. */
  model: CachedFile | null;
  size: number;
  mayBeSoftware: boolean;
}

/** The functions of a DEXTR worker. Each runtime has its own worker, which loads only that runtime. */
const functions = {
  ...life,
  open: ({ runtime, model, size, mayBeSoftware }: DextrSetup, onLoad: OnLoad) => {
    const runtimeFile = absolute(runtime === "wasm" ? wasmFile : asyncifyFile);
    const builtIn = absolute(modelFile);
    const other = model && model.sha256 !== builtIn.sha256 ? model : null;
    return openDextr({ runtime, runtimeFile, model: other ?? builtIn, size, mayBeSoftware }, onLoad);
  },
  measure: measureDextr,
  hold: holdImage,
  release: releaseImage,
  segment: async (address: string, request: DextrRequest) => {
    const segmented = await segmentImage(address, request);
    return transfer(segmented, [...buffersOf(segmented.rings), segmented.prediction.probability.buffer]);
  },
  outline: (prediction: Prediction, threshold: number) => transferRings(outlineOf(prediction, threshold)),
};
export type DextrFunctions = typeof functions;

const absolute = (file: CachedFile): CachedFile => ({
  ...file,
  address: new URL(file.address, self.location.href).href,
});

expose(functions);
