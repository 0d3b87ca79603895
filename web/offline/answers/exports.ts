import { getStatistics } from "../../../shared/api/dataset";
import { getDatasetCoco } from "../../../shared/api/export";
import { getImage, getImageCoco } from "../../../shared/api/image";
import { folderPath } from "../../../shared/rules/folders";
import { type Answer, answer } from "./answer";
import { datasetCoco, imageCoco } from "./coco";
import type { LocalData } from "./localData";
import { localStatistics } from "./statistics";

/**
 * Returns the answers to exports and statistics, of the images that are here and with pending edits. Image files and
 * the COCO file of a dataset are Blobs. `username` is the user of the copies.
 */
export const exportAnswers = (data: LocalData, username: string): Answer[] => [
  answer(getImage, async ({ params, query: { width, height, thumbnail } }) => {
    const isWhole = !width && !height && !thumbnail;
    return isWhole ? (await data.store.files.get(params.id))?.blob : undefined;
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
      folder: query.folder && folderPath(query.folder),
    });
  }),

  answer(getStatistics, async ({ params }) => {
    const row = await data.dataset(params.id);
    return row && localStatistics(row.dataset, row.categories, data.scenes(row.id), username);
  }),
];
