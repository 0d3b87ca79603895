import type { DextrRequest } from "../../model/dextr/base/request";
import { type DextrSession, PLANES } from "../../model/dextr/base/session";
import { outline, type Prediction, segment } from "../../model/dextr/segment";
import { type PackedRings, packRings } from "../../shared/geometry/packed";
import { BitmapSource } from "../image/bitmapSource";
import { loadBitmap } from "../image/loadBitmap";
import { findAdapter } from "../model/adapter";
import { type CachedFile, loadCachedFile } from "../model/cachedFile";
import { type OnnxRuntime, openOnnx, threadsHere } from "../model/onnx";

/** Requested setup of a DEXTR worker. */
export interface Setup {
  runtime: OnnxRuntime;
  /** The WebAssembly that belongs to the runtime. */
  runtimeFile: CachedFile;
  model: CachedFile;
  /** Width and height of the network's input, in pixels. */
  size: number;
  /** Allows a software adapter for WebGPU. */
  mayBeSoftware: boolean;
}

/** The setup in effect. */
export interface Opened {
  /** Threads of WebAssembly. */
  threads: number;
  /** Name of the WebGPU adapter; empty for WebAssembly. */
  adapter: string;
  isSoftware: boolean;
}

/** An outline, and the prediction from which it can be computed again with another threshold. */
export interface Segmented {
  rings: PackedRings;
  prediction: Prediction;
}

/** Receives the loaded and the total number of bytes of runtime and model. */
export type OnLoad = (received: number, total: number) => void;

/** Error for a browser without a usable graphics card. Trying again does not help. */
export class NoAdapter extends Error {
  override name = "NoAdapter";
}

let held: { address: string; source: Promise<BitmapSource> } | null = null;
let opened: { setup: Setup; session: DextrSession; result: Opened } | null = null;

/**
 * Opens the network. Later calls return the setup of the first one. Throws an Error whose message is shown to the user.
 */
export async function openDextr(setup: Setup, onLoad: OnLoad): Promise<Opened> {
  if (opened) return opened.result;
  const result = await checkRuntime(setup);
  const [runtimeBytes, modelBytes] = await loadBoth(setup, onLoad);
  const session = await openOnnx(setup.runtime, runtimeBytes, modelBytes, setup.size);
  opened = { setup, session, result };
  return result;
}

async function checkRuntime({ runtime, mayBeSoftware }: Setup): Promise<Opened> {
  if (runtime === "wasm") return { threads: threadsHere(), adapter: "", isSoftware: false };
  const { kind, name } = await findAdapter();
  if (kind === "none") throw new NoAdapter("this browser offers no graphics card");
  if (kind === "software" && !mayBeSoftware) throw new NoAdapter(`the graphics card is only simulated (${name})`);
  return { threads: 1, adapter: name, isSoftware: kind === "software" };
}

async function loadBoth({ runtimeFile, model }: Setup, onLoad: OnLoad) {
  const files = [runtimeFile, model];
  const received = files.map(() => 0);
  const total = runtimeFile.bytes + model.bytes;
  let reported = 0;
  const [runtimeBytes, modelBytes] = await Promise.all(
    files.map((file, i) =>
      loadCachedFile(file, (bytes) => {
        received[i] = bytes;
        const sum = received[0]! + received[1]!;
        // A hundred steps are enough for a bar.
        if (sum < total && sum - reported < total / 100) return;
        reported = sum;
        onLoad(sum, total);
      }),
    ),
  );
  return [runtimeBytes!, modelBytes!] as const;
}

/** Returns the duration of a warm run at the current size, in milliseconds. */
export async function measureDextr(): Promise<number> {
  const { session, setup } = ready();
  const { size } = setup;
  const run = async () => {
    const started = performance.now();
    await session.run({ data: new Float32Array(PLANES * size * size), height: size, width: size });
    return performance.now() - started;
  };
  await run();
  return Math.min(await run(), await run());
}

/** Loads the image at an absolute address in place of the previous one. */
export async function holdImage(address: string): Promise<void> {
  await sourceAt(address);
}

export function releaseImage(): void {
  void held?.source.then((source) => source.close()).catch(() => undefined);
  held = null;
}

/** Returns the outline of an object. Throws the errors of `segment`, and an `OnnxError` if the network fails to run. */
export async function segmentImage(address: string, request: DextrRequest): Promise<Segmented> {
  const { session, setup } = ready();
  const { rings, prediction } = await segment(await sourceAt(address), request, session, { size: setup.size });
  return { rings: packRings(rings), prediction };
}

/** Returns the outline for another threshold (0 to 100). */
export function outlineOf(prediction: Prediction, threshold: number): PackedRings {
  return packRings(outline(prediction, threshold));
}

function ready() {
  if (!opened) throw new Error("The network is not open.");
  return opened;
}

function sourceAt(address: string): Promise<BitmapSource> {
  if (held?.address === address) return held.source;
  releaseImage();
  const source = loadBitmap(address).then((bitmap) => new BitmapSource(bitmap));
  const mine = { address, source };
  held = mine;
  source.catch(() => {
    if (held === mine) held = null;
  });
  return source;
}
