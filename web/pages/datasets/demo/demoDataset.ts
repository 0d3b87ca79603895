import { t } from "@lingui/core/macro";
import { getDataset } from "../../../../shared/api/datasets/datasetImages";
import type { Json } from "../../../../shared/entities/scalars";
import { RequestError, request } from "../../../io/http/request";
import type { UploadFile } from "../../uploads/uploads";
import { type Choice, importDataset, type Progress } from "../import/importDataset";
import { fruitScene, sceneCoco } from "./fruitScene";
import { paintScene } from "./paintScene";

/** Number of images in the demo, and number of these that have annotations. */
const IMAGES = 8;
const ANNOTATED = 5;
/** Maximum number of names that are tried, because other users may have a demo, too. */
const NAMES = 20;

const fileName = (index: number): string => `fruit ${index + 1}.jpg`;

/** Draws the images of the demo, and makes the file with the annotations of the first ones. An abort stops it. */
async function drawDemo(signal: AbortSignal): Promise<Pick<Choice, "annotations" | "images">> {
  const scenes = Array.from({ length: IMAGES }, (_, i) => fruitScene(i + 1));
  const images: UploadFile[] = [];
  for (const [i, scene] of scenes.entries()) {
    const file = new File([await paintScene(scene)], fileName(i), { type: "image/jpeg" });
    signal.throwIfAborted();
    images.push({ file, path: file.name });
  }
  const coco = JSON.stringify(sceneCoco(scenes.slice(0, ANNOTATED), fileName));
  return { images, annotations: new File([coco], "demo.json", { type: "application/json" }) };
}

/**
 * Creates the demo dataset with the calls of an import, under a name that is still free. Returns the import's report.
 * After a failure, a call with the same `progress` continues.
 */
export async function createDemo(
  progress: Progress,
  options: Parameters<typeof importDataset>[2],
): Promise<Record<string, Json>> {
  const drawn = await drawDemo(options.signal);
  if (progress.datasetId === undefined) progress.left = drawn.images;
  for (let number = 1; ; number++) {
    const name = number === 1 ? t`Demo` : t`Demo ${number}`;
    try {
      return await importDataset({ name, ...drawn }, progress, options);
    } catch (error) {
      const isTaken = error instanceof RequestError && error.status === 409 && progress.datasetId === undefined;
      if (!isTaken || number === NAMES) throw error;
    }
  }
}

/** Returns the first image without annotations; undefined if there is none. */
export async function firstOpenImage(datasetId: number): Promise<number | undefined> {
  const query = { annotated: false, page: 1, limit: 1 };
  return (await request(getDataset, { params: { id: datasetId }, query })).images[0]?.id;
}
