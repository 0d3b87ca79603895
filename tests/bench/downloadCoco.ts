import type { Bed } from "./bed";

/** Reads a dataset's COCO to its end without storing it. Returns its length in bytes. */
export async function downloadCoco(bed: Bed, datasetId: number): Promise<number> {
  const response = await bed.client.fetch("GET", `dataset/${datasetId}/coco`, undefined, {
    "Accept-Encoding": "identity",
  });
  let bytes = 0;
  for await (const chunk of response.body ?? []) bytes += chunk.length;
  return bytes;
}
