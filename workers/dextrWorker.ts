import { expose, transfer } from "comlink";
import type { DextrRequest } from "../model/dextr/base/request";
import type { Prediction } from "../model/dextr/segment";
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
import { networkFileOf, runtimeFileOf } from "./model/dextrFiles";
import type { OnnxRuntime } from "./model/onnx";
import { transferRings } from "./transferRings";

/** The page's settings for the DEXTR network. */
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
  open: ({ runtime, model, size, mayBeSoftware }: DextrSetup, onLoad: OnLoad) =>
    openDextr(
      { runtime, runtimeFile: runtimeFileOf(runtime), model: networkFileOf(model), size, mayBeSoftware },
      onLoad,
    ),
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

expose(functions);
