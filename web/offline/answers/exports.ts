import { getStatistics } from "../../../shared/api/datasets/dataset";
import { getDatasetCoco } from "../../../shared/api/export";
import { getImage, getImageCoco } from "../../../shared/api/image";
import { endsWithin } from "../../../shared/async/timeLimit";
import { folderPath } from "../../../shared/rules/folders";
import { type Answer, answer } from "./answer";
import { datasetCoco, imageCoco } from "./coco";
import type { LocalData } from "./localData";
import { localStatistics } from "./statistics";

/** Maximum time to wait for the file of an image that was opened a moment ago, in milliseconds. */
const NOTING_MS = 5_000;

/**
 * Returns the answers to calls for exports and statistics. They cover the images in this browser, with pending edits
 * applied. Image files and the COCO file of a dataset are Blobs. `username` is the user of the copies. `whenNoted`
 * resolves when the images that the user opened are stored, or cannot be stored.
 */
export const exportAnswers = (data: LocalData, username: string, whenNoted: () => Promise<void>): Answer[] => [
  answer(getImage, async ({ params, query: { width, height, thumbnail } }) => {
    if (width || height || thumbnail) return undefined;
    const read = async () => (await data.store.files.get(params.id))?.blob;
    return (await read()) ?? ((await endsWithin(NOTING_MS, whenNoted())) ? read() : undefined);
  }),

  answer(getImageCoco, async ({ params, query }) => {
    const scene = await data.scene(params.id);
    const row = scene && (await data.dataset(scene.image.dataset_id));
    if (!scene || !row?.dataset.permissions.download) return undefined;
    return imageCoco(scene, row.categories, query.segmentation);
  }),

  answer(getDatasetCoco, async ({ params, query }) => {
    const row = await data.dataset(params.id);
    if (!row?.dataset.permissions.download) return undefined;
    return datasetCoco(row.dataset, row.categories, data.scenes(row.id), {
      segmentation: query.segmentation,
      categories: query.categories,
      withEmptyImages: query.with_empty_images,
      onlyAccepted: query.only_accepted,
      folder: query.folder && folderPath(query.folder),
    });
  }),

  answer(getStatistics, async ({ params }) => {
    const row = await data.dataset(params.id);
    return row && localStatistics(row.dataset, row.categories, data.scenes(row.id), username);
  }),
];
