import { readFile, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { api } from "../../shared/api";
import { makeClient } from "../../shared/api/protocol/client";
import { RequestError } from "../../shared/api/protocol/requestError";

/**
 * Creates a dataset of the images named on the command line, outlines an object with DEXTR, and exports and imports the
 * dataset as COCO. LIMN_URL is the address of Limn, LIMN_TOKEN a personal API token.
 */
const { LIMN_URL = "http://localhost:5000", LIMN_TOKEN } = process.env;
const client = makeClient({ url: LIMN_URL, token: LIMN_TOKEN, fetch, FormData });

const dataset = await client.request(api.dataset.createDataset, {
  body: { name: "Orchard", categories: ["apple"] },
});
const params = { id: dataset.id };
const [category_id = 0] = dataset.categories;

const files = await Promise.all(
  process.argv.slice(2).map(async (path) => new File([await readFile(path)], basename(path))),
);
const uploaded = await client.upload(api.dataset.uploadToDataset, { params, files });
for (const { path, status } of uploaded.files) console.log(`${path}: ${status}`);

for (const { id: imageId } of uploaded.files) {
  if (imageId === null) continue;
  const { segmentation } = await client.request(api.model.segmentWithDextr, {
    params: { imageId },
    body: {
      points: [
        [160, 75],
        [230, 120],
        [160, 165],
        [90, 120],
      ],
    },
  });
  const annotation = await client.request(api.annotation.createAnnotation, {
    body: { image_id: imageId, category_id, segmentation },
  });
  console.log(`annotation ${annotation.id}: ${annotation.area} pixels`);
}

await finish(await client.request(api.exports.exportDataset, { params }));
const [newest] = await client.request(api.exports.listExports, { params });
const coco = await client.download(api.exports.downloadExport, { params: { id: newest?.id ?? 0 } });
await writeFile("orchard.json", await coco.text());

const file = new File([await readFile("orchard.json")], "orchard.json");
await finish(await client.upload(api.dataset.importCoco, { params, files: [file] }));

// A refused call throws an error with the reason.
const absent = client.request(api.image.getImageCoco, { params: { id: 0 } });
await absent.catch((error) => {
  if (!(error instanceof RequestError)) throw error;
  console.log(`${error.status}: ${error.message}`);
});

async function finish(task: { id: number }): Promise<void> {
  for (;;) {
    const all = await client.request(api.tasks.listTasks);
    const state = all.find(({ id }) => id === task.id)?.state;
    if (state === "done") return;
    if (state !== "queued" && state !== "running") throw new Error(`Task ${task.id}: ${state}`);
    await wait(200);
  }
}
