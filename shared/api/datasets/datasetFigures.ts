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
  /** Its first images, at most four. */
  thumbnails: z.array(id),
  /** Number of images with annotations of a category, the largest first. Of many images, the newest 20,000 are counted. */
  categories: z.array(z.object({ id, images: z.number() })),
});
export type DatasetFigures = z.infer<typeof datasetFigures>;

export const getDatasetFigures = declare({
  method: "GET",
  path: "/dataset/figures",
  title: "Loading Datasets",
  access: "user",
  summary: "Get what cards of datasets show besides their data: first images, and images by category",
  query: z.object({
    ids: idList.refine((ids) => ids === undefined || ids.length <= MAX_DATASETS, `At most ${MAX_DATASETS} datasets`),
  }),
  output: z.object({ datasets: z.array(datasetFigures) }),
});
