import { expose, transfer } from "comlink";
import asyncifyFile from "onnxruntime-web/ort-wasm-simd-threaded.asyncify.wasm?kept";
import wasmFile from "onnxruntime-web/ort-wasm-simd-threaded.wasm?kept";
import type { DextrRequest } from "../model/dextr/base/request";
import type { Prediction } from "../model/dextr/segment";
import modelFile from "../model/dextr.onnx?kept";
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
import { handOver } from "./handOver";
import { life } from "./life";
import type { KeptFile } from "./model/keptFile";
import type { OnnxRuntime } from "./model/onnx";

/** The page's settings for the network. */
export interface DextrSetup {
  runtime: OnnxRuntime;
  /** Another network than the one of this build, with an absolute address. */
  model: KeptFile | null;
  size: number;
  mayBeSoftware: boolean;
}

/** The functions of a worker of DEXTR: one for each runtime, so that the others' workers never load it. */
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
  outline: (prediction: Prediction, threshold: number) => handOver(outlineOf(prediction, threshold)),
};
export type DextrFunctions = typeof functions;

const absolute = (file: KeptFile): KeptFile => ({ ...file, address: new URL(file.address, self.location.href).href });

expose(functions);
