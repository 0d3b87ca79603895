import { type AnnotatorScene, getAnnotatorData, getEdits, getPlace } from "../../../shared/api/annotator";
import type { ImageFilter } from "../../../shared/api/dataset";
import type { DatasetRow, ImageRow, SceneRow } from "../copy/records";
import { type Answer, answer } from "./answer";
import { withoutPermissions } from "./datasets";
import { countBefore, filterImages, type Neighbours, neighboursIn } from "./imageFilter";
import type { LocalData } from "./localData";

/**
 * Returns the answers to calls of the annotator. The scene is as the server sent it, because the annotator applies
 * pending edits itself. `getEdits` has no answer, so that the annotator requests the edits when the server is back.
 */
export const sceneAnswers = (data: LocalData, noteUse: (imageId: number) => void): Answer[] => [
  answer(getAnnotatorData, async ({ params, query }) => {
    const { shape, ...filter } = query;
    const scene = shape === "rings" ? await data.store.scenes.get(params.id) : undefined;
    const dataset = scene && (await data.store.datasets.get(scene.image.dataset_id));
    if (!scene || !dataset) return undefined;
    noteUse(params.id);
    const images = await data.images(dataset.id);
    const { done = scene.image.done } = images.find(({ id }) => id === params.id) ?? {};
    return sceneOf({ ...scene, image: { ...scene.image, done } }, dataset, neighboursOf(images, scene, filter));
  }),

  answer(getPlace, async ({ params, query }) => {
    const row = await data.store.images.get(params.id);
    if (!row) return undefined;
    const list = filterImages(await data.images(row.dataset_id), query);
    return { before: countBefore(list, row, query.order), total: list.length };
  }),

  answer(getEdits, async () => undefined),
];

/** Returns the neighbours among the images that can be opened here. */
function neighboursOf(images: readonly ImageRow[], { image }: SceneRow, filter: ImageFilter): Neighbours {
  const here = images.filter(({ sceneRevision }) => sceneRevision !== null);
  return neighboursIn(filterImages(here, filter), image, filter.order);
}

function sceneOf(
  { image, annotations }: SceneRow,
  { dataset, categories, preferences }: DatasetRow,
  neighbours: Neighbours,
): AnnotatorScene {
  const { permissions } = dataset;
  const shown = new Set([...dataset.categories, ...image.labels, ...annotations.map(({ category_id: id }) => id)]);
  return {
    image: { ...image, annotating: [], ...neighbours },
    dataset: withoutPermissions(dataset),
    preferences,
    permissions: { dataset: permissions, image: { delete: permissions.delete, download: permissions.download } },
    time_ms: 0,
    categories: categories
      .filter(({ id }) => shown.has(id))
      .map((category) => ({
        ...category,
        annotations: annotations.filter(({ category_id }) => category_id === category.id),
      })),
  };
}
