/** Returns milliseconds of warm runs of the network alone, on one crop of this size, in a worker like DEXTR's. */
export function bare(size: number, rounds: number): Promise<number[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./bareWorker.ts", import.meta.url), { type: "module" });
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.onmessage = ({ data }) => {
      worker.terminate();
      resolve(data);
    };
    worker.postMessage({ size, rounds });
  });
}
