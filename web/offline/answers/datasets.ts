import { getDatasets, getOneDataset, listDatasets } from "../../../shared/api/datasets/dataset";
import { CARD_THUMBNAILS, type DatasetFigures, getDatasetFigures } from "../../../shared/api/datasets/datasetFigures";
import { getDataset } from "../../../shared/api/datasets/datasetImages";
import { pageOf } from "../../../shared/api/protocol/pageOf";
import type { Dataset, DatasetCard, StageCounts } from "../../../shared/entities/dataset";
import { folderPath } from "../../../shared/rules/folders";
import { stageOf } from "../../../shared/rules/stages";
import { summaryOf } from "../../../shared/rules/summaryOf";
import { compareNaturally } from "../../../shared/text/fold";
import { hasText } from "../../../shared/text/hasText";
import type { DatasetRow, ImageRow } from "../copy/records";
import { type Answer, answer } from "./answer";
import { categoriesOf, documentOf } from "./categories";
import { filterImages, subfoldersOf } from "./imageFilter";
import type { LocalData } from "./localData";

/** Returns the answers to calls about datasets and their lists of images. */
export const datasetAnswers = (data: LocalData): Answer[] => [
  answer(listDatasets, async () => (await data.datasets()).map(({ dataset }) => withoutPermissions(dataset))),

  answer(getOneDataset, async ({ params }) => (await data.dataset(params.id))?.dataset),

  answer(getDatasets, async ({ query }) => {
    const here = await data.datasets();
    // An empty list would say that the server has no datasets.
    if (here.length === 0) return undefined;
    const rows = here.filter(({ dataset }) => hasText(dataset.name, query.search));
    if (query.order === "name") rows.sort((a, b) => compareNaturally(a.dataset.name, b.dataset.name) || a.id - b.id);
    const pagination = pageOf(query.page, query.limit, rows.length);
    const shown = rows.slice(pagination.start, pagination.end);
    return {
      pagination,
      folder: query.folder ?? "",
      datasets: await Promise.all(shown.map(async (row) => cardOf(row, await data.images(row.id)))),
      categories: categoriesOf(here).map(documentOf),
      subdirectories: [],
    };
  }),

  answer(getDatasetFigures, async ({ query }) => {
    const here = (await data.datasets()).filter(({ id }) => query.ids?.includes(id));
    return { datasets: await Promise.all(here.map(async ({ id }) => figuresOf(id, await data.images(id)))) };
  }),

  answer(getDataset, async ({ params, query }) => {
    const start = performance.now();
    const [row, images] = await Promise.all([data.dataset(params.id), data.images(params.id)]);
    if (!row) return undefined;
    const { page, limit, ...filter } = query;
    const list = filterImages(images, filter);
    const folder = folderPath(filter.folder);
    return {
      total: list.length,
      per_page: limit,
      pages: Math.max(1, Math.ceil(list.length / limit)),
      page: page - 1,
      images: list.slice((page - 1) * limit, page * limit).map(summaryOf),
      folder,
      directory: row.dataset.directory + folder,
      dataset: { ...row.dataset, numberImages: images.length, stages: stagesOf(row, images) },
      categories: row.categories
        .filter(({ id }) => row.dataset.categories.includes(id))
        .map(({ id, name, color }) => ({ id, name, color })),
      subdirectories: subfoldersOf(images, folder),
      time_ms: Math.round(performance.now() - start),
    };
  }),
];

function figuresOf(id: number, images: readonly ImageRow[]): DatasetFigures {
  const counts = new Map<number, number>();
  for (const { annotated, category_ids } of images)
    if (annotated) for (const category of category_ids) counts.set(category, (counts.get(category) ?? 0) + 1);
  const categories = Array.from(counts, ([category, number]) => ({ id: category, images: number }));
  categories.sort((a, b) => b.images - a.images || a.id - b.id);
  return { id, thumbnails: images.slice(0, CARD_THUMBNAILS).map((image) => image.id), categories };
}

function stagesOf({ dataset }: DatasetRow, images: readonly ImageRow[]): StageCounts | null {
  const counts = { open: 0, to_review: 0, returned: 0, accepted: 0 };
  for (const image of images) counts[stageOf(image)] += 1;
  const { open: _, ...stages } = counts;
  return dataset.review || stages.to_review + stages.returned > 0 ? stages : null;
}

function cardOf(row: DatasetRow, images: readonly ImageRow[]): DatasetCard {
  return {
    ...row.dataset,
    stages: stagesOf(row, images),
    numberImages: images.length,
    numberAnnotated: images.filter(({ annotated }) => annotated).length,
    first_image_id: images[0]?.id ?? null,
    // Copies have no time of the last change, because each change by other users would have to renew them.
    edited_at: null,
    edited_by: null,
  };
}

export function withoutPermissions({ permissions: _, ...dataset }: DatasetRow["dataset"]): Dataset {
  return dataset;
}
