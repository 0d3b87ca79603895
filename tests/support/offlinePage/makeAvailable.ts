import { copiesOf } from "../../../web/offline/copies";

/** Makes a whole dataset available offline. Returns the number of images in the copy, and the milliseconds. */
export async function makeAvailable(datasetId: number): Promise<{ here: number; ms: number }> {
  const copies = copiesOf({ installation: null, userId: 1, username: "bench" });
  const began = performance.now();
  const here = new Promise<number>((resolve, reject) => {
    copies.state.subscribe(({ datasets: [dataset] }) => {
      if (dataset?.state === "complete") resolve(dataset.images.here);
      if (dataset?.state === "failed") reject(new Error(dataset.problem ?? ""));
    });
  });
  await copies.choose(datasetId, { form: "original", ids: null });
  return { here: await here, ms: performance.now() - began };
}
