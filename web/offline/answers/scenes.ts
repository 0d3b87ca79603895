import { type AnnotatorScene, getAnnotatorData, getEdits, getPlace } from "../../../shared/api/annotator";
import type { ImageFilter } from "../../../shared/api/datasets/datasetImages";
import { getOutlines, type OutlinesOfImage } from "../../../shared/api/datasets/outlines";
import { ImageOutlines, MAX_OUTLINED } from "../../../shared/outlines/imageOutlines";
import type { DatasetRow, ImageRow, SceneRow } from "../copy/records";
import { type Answer, answer } from "./answer";
import { withoutPermissions } from "./datasets";
import { countBefore, filterImages, type Neighbours, neighboursIn } from "./imageFilter";
import type { LocalData } from "./localData";
import { makePause } from "./shown";

/**
 * Returns the answers to calls of the annotator. The scene is as the server sent it, because the annotator applies
 * pending edits itself. `getEdits` has no answer, so that the annotator requests the edits when the server is back.
 */
export const sceneAnswers = (data: LocalData, noteUse: (imageId: number) => void): Answer[] => [
  answer(getAnnotatorData, async ({ params, query }) => {
    const { shape, edits: _, ...filter } = query;
    const scene = shape === "rings" ? await data.store.scenes.get(params.id) : undefined;
    const dataset = scene && (await data.store.datasets.get(scene.image.dataset_id));
    if (!scene || !dataset) return undefined;
    noteUse(params.id);
    const images = await data.images(dataset.id);
    const { done, stage } = images.find(({ id }) => id === params.id) ?? scene.image;
    return sceneOf({ ...scene, image: { ...scene.image, done, stage } }, dataset, neighboursOf(images, scene, filter));
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
  { image, annotations, comments, deleted }: SceneRow,
  { dataset, categories, preferences }: DatasetRow,
  neighbours: Neighbours,
): AnnotatorScene {
  const { permissions } = dataset;
  const shown = new Set([...dataset.categories, ...image.labels, ...annotations.map(({ category_id: id }) => id)]);
  return {
    image: { ...image, annotating: [], ...neighbours },
    dataset: withoutPermissions(dataset),
    preferences,
    ...(comments && { comments }),
    ...(deleted && { deleted }),
    permissions: { dataset: permissions, image: { delete: permissions.manage, download: permissions.download } },
    time_ms: 0,
    categories: categories
      .filter(({ id }) => shown.has(id))
      .map((category) => ({
        ...category,
        annotations: annotations.filter(({ category_id }) => category_id === category.id),
      })),
  };
}

/**
 * Number of annotations above which a scene is not read for its thumbnail, because reading it would freeze the page.
 */
const MAX_READ = 5_000;

/** Returns the answer to the call for outlines, from the scenes in the copy, with pending edits applied. */
export const outlineAnswers = (data: LocalData): Answer[] => [
  answer(getOutlines, async ({ params, query }) => {
    const [row, images] = await Promise.all([data.dataset(params.id), data.images(params.id)]);
    if (!row) return undefined;
    const byId = new Map(images.map((image) => [image.id, image]));
    const pause = makePause();
    const outlines: OutlinesOfImage[] = [];
    for (const id of new Set(query.ids)) {
      const image = byId.get(id);
      if (!image) continue;
      const isHuge = image.num_annotations > MAX_READ;
      const scene = isHuge ? undefined : await data.scene(id);
      outlines.push(scene ? outlinesOf(scene) : { id, paths: [], omitted: isHuge ? image.num_annotations : 0 });
      await pause();
    }
    return { outlines, categories: row.categories.map(({ id, color }) => ({ id, color })) };
  }),
];

function outlinesOf({ image, annotations }: SceneRow): OutlinesOfImage {
  const outlines = new ImageOutlines(image.width, image.height);
  // In the server's order; annotations without an id are the newest.
  const sorted = annotations.toSorted((a, b) => b.area - a.area || (a.id ?? Infinity) - (b.id ?? Infinity));
  for (const { rings, rle, isbbox, ...annotation } of sorted.slice(0, MAX_OUTLINED))
    outlines.add({ ...annotation, rle, rings: rings ?? (isbbox ? null : []) });
  return { id: image.id, paths: outlines.result(), omitted: Math.max(0, annotations.length - MAX_OUTLINED) };
}
