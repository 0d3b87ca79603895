import { BestDextr } from "./bestDextr";
import type { Dextr } from "./dextr";
import { dextrModel } from "./dextrModel";
import { DextrServer } from "./dextrServer";
import { DextrWorker } from "./dextrWorker";

/** `size`: width and height of the network's input in pixels, if other than the network's default. */
interface DextrOptions {
  size?: number;
}

/** Creates a DEXTR with its own workers, which start on first use. */
export function startDextr({ size }: DextrOptions = {}): Dextr {
  const browser = (name: "wasm" | "webgpu"): DextrWorker =>
    new DextrWorker(name, {
      start: () =>
        new Worker(new URL("../../../workers/dextrWorker.ts", import.meta.url), {
          type: "module",
          name: `dextr ${name}`,
        }),
      setup: async () => {
        const { model, size: own } = await dextrModel();
        return { model, size: size ?? own, mayBeSoftware: best.status.getState().choice === "webgpu" };
      },
      onRestart: (message) => best.showNotice(message),
      onLoad: (loading) => {
        // Hides the progress of a runtime that is tried in the background while another one works.
        const { runtime, choice } = best.status.getState();
        if (choice !== "auto" || runtime === null || runtime === name) best.status.setState({ loading });
      },
    });
  const best: BestDextr = new BestDextr({
    wasm: browser("wasm"),
    webgpu: browser("webgpu"),
    server: new DextrServer(),
  });
  return best;
}

let shared: Dextr | null = null;

/** Returns the DEXTR shared by the whole page, which stays loaded from image to image. */
export function sharedDextr(): Dextr {
  shared ??= startDextr();
  return shared;
}
