import type { LiveServer } from "../support/liveServer";
import { reloadAndDownload } from "./downloads";
import type { StartedBrowser } from "./engines";
import { FILE, images } from "./images";
import { workOffline } from "./offline";
import { addImages, createDataset, HEIGHT, importCoco, onlyImage, openImage, register, WIDTH } from "./steps";
import { tryEachTool } from "./tools";

/**
 * The core of Limn in one browser: log-in, dataset, upload, import, search, each tool, undo, offline work, reload,
 * downloads.
 */
export async function walk({ page, url, downloads }: StartedBrowser, server: LiveServer): Promise<void> {
  await register(page, url);
  const dataset = await createDataset(page, url, "Walk");
  await page.goto(`${url}dataset/${dataset}`);
  await addImages(page, await images([FILE, "other.png"]));
  await importCoco(page, { name: "coco.json", type: "application/json", content: Buffer.from(JSON.stringify(COCO)) });
  await page.goto(`${url}dataset/${dataset}?file_name__icontains=CAFE`);
  const image = await onlyImage(page);
  let count = await tryEachTool(page, await openImage(page, url, image));
  count = await workOffline(page, { url, server, dataset, image, count });
  await reloadAndDownload(page, { url, dataset, downloads, count, total: count + COCO.annotations.length });
}

/** A polygon with keypoints. The import gives the dataset's category the keypoints. */
const COCO = {
  images: [{ id: 1, file_name: "other.png", width: WIDTH, height: HEIGHT }],
  categories: [{ id: 1, name: "car", keypoints: ["front", "rear"], skeleton: [[1, 2]] }],
  annotations: [
    {
      id: 1,
      image_id: 1,
      category_id: 1,
      segmentation: [[10, 10, 200, 10, 200, 100]],
      keypoints: [20, 20, 2, 180, 20, 2],
      num_keypoints: 2,
    },
  ],
};
