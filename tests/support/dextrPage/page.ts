import type { Dextr } from "../../../web/io/dextr";
import { startDextr } from "../../../web/io/startDextr";

/** What the tests reach through `window`: DEXTR as the annotator has it, without the annotator. */
export interface DextrPage {
  startDextr(options?: { size?: number }): Dextr;
  /** Milliseconds of warm runs of the bare session, in a worker as well. */
  bare(size: number, rounds: number): Promise<number[]>;
}

declare global {
  interface Window {
    dextrPage: DextrPage;
  }
}

window.dextrPage = {
  startDextr,
  bare: (size, rounds) =>
    new Promise((resolve, reject) => {
      const worker = new Worker(new URL("./bareWorker.ts", import.meta.url), { type: "module" });
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.onmessage = ({ data }) => {
        worker.terminate();
        resolve(data);
      };
      worker.postMessage({ size, rounds });
    }),
};
