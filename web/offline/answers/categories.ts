import { createCategory, getCategories, getCategory, listCategories } from "../../../shared/api/category";
import type { SceneCategory } from "../../../shared/api/offline";
import { pageOf } from "../../../shared/api/protocol/pageOf";
import type { Category } from "../../../shared/entities/category";
import { hasText } from "../../../shared/text/hasText";
import type { DatasetRow } from "../copy/records";
import { type Answer, answer } from "./answer";
import type { LocalData } from "./localData";

/**
 * Returns the answers to calls about categories, with the categories of the datasets in this browser. `getCategories`
 * has no answer if there are none, because an empty list would say that the server has none.
 */
export const categoryAnswers = (data: LocalData): Answer[] => [
  answer(listCategories, async () => categoriesOf(await data.datasets()).map(documentOf)),

  /**
   * The category is sent to the server before the edits that refer to it. Only the annotator's dialog gives a dataset.
   */
  answer(createCategory, async ({ body: { dataset: datasetId, reserved: _, user: __, ...input } }) => {
    if (datasetId == null || !(await data.dataset(datasetId))) return undefined;
    const category = await data.createCategory(input, datasetId);
    return category && documentOf(category);
  }),

  answer(getCategory, async ({ params }) => {
    const found = categoriesOf(await data.datasets()).find(({ id }) => id === params.id);
    return found && documentOf(found);
  }),

  answer(getCategories, async ({ query }) => {
    const here = categoriesOf(await data.datasets());
    if (here.length === 0) return undefined;
    const all = here.filter(({ name }) => hasText(name, query.search));
    const pagination = pageOf(query.page, query.limit, all.length);
    const counts = await countAnnotations(data);
    const categories = all.slice(pagination.start, pagination.end).map((category) => ({
      ...documentOf(category),
      numberAnnotations: counts.get(category.id) ?? 0,
      permissions: category.permissions,
    }));
    return { pagination, page: query.page, categories };
  }),
];

/** Returns the categories of all these datasets in order of id, each once at its highest revision. */
export function categoriesOf(datasets: readonly DatasetRow[]): SceneCategory[] {
  const byId = new Map<number, SceneCategory>();
  for (const category of datasets.flatMap(({ categories }) => categories))
    if (category.revision >= (byId.get(category.id)?.revision ?? 0)) byId.set(category.id, category);
  return [...byId.values()].sort((a, b) => a.id - b.id);
}

/** Returns a category without the fields that only scenes contain. */
export function documentOf({ permissions: _, keypoint_removed: __, ...category }: SceneCategory): Category {
  return category;
}

/** Returns the number of annotations in the scenes in this browser, by category. */
async function countAnnotations(data: LocalData): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  await data.eachScene(({ annotations }) => {
    for (const { category_id } of annotations) counts.set(category_id, (counts.get(category_id) ?? 0) + 1);
  });
  return counts;
}
