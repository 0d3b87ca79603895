import { z } from "zod";
import { id } from "../../entities/scalars";
import { declare } from "../protocol/call";
import { idList } from "../protocol/inputs";

/** Largest number of datasets whose figures one call returns. */
const MAX_DATASETS = 200;
/** Number of thumbnails on a card. */
export const CARD_THUMBNAILS = 4;

export const datasetFigures = z.object({
  id,
  /** Ids of the dataset's first images, at most four. */
  thumbnails: z.array(id),
  /** Number of images with annotations of a category, the largest first. Counts only the newest 20,000 images. */
  categories: z.array(z.object({ id, images: z.number() })),
});
export type DatasetFigures = z.infer<typeof datasetFigures>;

export const getDatasetFigures = declare({
  method: "GET",
  path: "/dataset/figures",
  title: "Loading Datasets",
  access: "user",
  summary: "Get the figures on the cards of datasets: the first images, and the number of images by category",
  query: z.object({
    ids: idList.refine((ids) => ids === undefined || ids.length <= MAX_DATASETS, `At most ${MAX_DATASETS} datasets`),
  }),
  output: z.object({ datasets: z.array(datasetFigures) }),
});
