import { BestDextr } from "./bestDextr";
import type { Dextr } from "./dextr";
import { dextrModel } from "./dextrModel";
import { DextrServer } from "./dextrServer";
import { DextrWorker } from "./dextrWorker";

/** Side of the square that the network sees, where it shall not be the network's own. */
interface DextrOptions {
  size?: number;
}

/** DEXTR with workers of its own, which start with their first use. */
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
      onRestart: (message) => best.tell(message),
      onLoad: (loading) => {
        // Nobody waits for a runtime that is tried in the background while another one works.
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

/** The page's one: it stays warm from image to image. */
export function sharedDextr(): Dextr {
  shared ??= startDextr();
  return shared;
}
