import type { DextrRequest } from "../../model/dextr/base/request";
import type { DextrSession } from "../../model/dextr/base/session";
import { outline, type Prediction, segment } from "../../model/dextr/segment";
import { type PackedRings, packRings } from "../../shared/geometry/packed";
import { BitmapSource } from "../image/bitmapSource";
import { loadBitmap } from "../image/loadBitmap";
import { findAdapter } from "../model/adapter";
import { type KeptFile, loadKept } from "../model/keptFile";
import { type OnnxRuntime, openOnnx, threadsHere } from "../model/onnx";

/** Requested set-up of a DEXTR worker. */
export interface Setup {
  runtime: OnnxRuntime;
  /** The WebAssembly that belongs to the runtime. */
  runtimeFile: KeptFile;
  model: KeptFile;
  /** Side of the square that the network sees. */
  size: number;
  /** Allows a software adapter for WebGPU. */
  mayBeSoftware: boolean;
}

/** The set-up in effect. */
export interface Opened {
  /** Threads of WebAssembly. */
  threads: number;
  /** Of WebGPU: the adapter's name. */
  adapter: string;
  isSoftware: boolean;
}

/** An outline, and what others of the same points can be drawn from. */
export interface Segmented {
  rings: PackedRings;
  prediction: Prediction;
}

/** Bytes of the runtime and of the model that are there, of all that are needed. */
export type OnLoad = (received: number, total: number) => void;

/** No graphics card: nothing that another try would change. */
export class NoAdapter extends Error {
  override name = "NoAdapter";
}

let held: { address: string; source: Promise<BitmapSource> } | null = null;
let opened: { setup: Setup; session: DextrSession; answer: Opened } | null = null;

/** Makes the network ready; the first call decides with what. Throws an Error for people where it cannot be. */
export async function openDextr(setup: Setup, onLoad: OnLoad): Promise<Opened> {
  if (opened) return opened.answer;
  const answer = await tryRuntime(setup);
  const [runtimeBytes, modelBytes] = await loadBoth(setup, onLoad);
  const session = await openOnnx(setup.runtime, runtimeBytes, modelBytes, setup.size);
  opened = { setup, session, answer };
  return answer;
}

async function tryRuntime({ runtime, mayBeSoftware }: Setup): Promise<Opened> {
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
  let told = 0;
  const [runtimeBytes, modelBytes] = await Promise.all(
    files.map((file, i) =>
      loadKept(file, (bytes) => {
        received[i] = bytes;
        const sum = received[0]! + received[1]!;
        // A hundred steps are enough for a bar.
        if (sum < total && sum - told < total / 100) return;
        told = sum;
        onLoad(sum, total);
      }),
    ),
  );
  return [runtimeBytes!, modelBytes!] as const;
}

/** Milliseconds of a warm run at the size in use. */
export async function measureDextr(): Promise<number> {
  const { session, setup } = ready();
  const { size } = setup;
  const run = async () => {
    const started = performance.now();
    await session.run({ data: new Float32Array(4 * size * size), height: size, width: size });
    return performance.now() - started;
  };
  await run();
  return Math.min(await run(), await run());
}

/** Loads the image at an absolute address, which takes the place of the one before. */
export async function holdImage(address: string): Promise<void> {
  await sourceAt(address);
}

export function releaseImage(): void {
  void held?.source.then((source) => source.close()).catch(() => undefined);
  held = null;
}

/** Throws what the recipe throws; an `OnnxError` where the network could not be run. */
export async function segmentImage(address: string, request: DextrRequest): Promise<Segmented> {
  const { session, setup } = ready();
  const { rings, prediction } = await segment(await sourceAt(address), request, session, { size: setup.size });
  return { rings: packRings(rings), prediction };
}

/** The outline by another threshold (0 to 100). */
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
