import type { getImageCoco } from "../../../shared/api/image";
import type { getManifest, ManifestCategory } from "../../../shared/api/offline";
import type { OutputOf } from "../../../shared/api/protocol/call";
import { type CocoObject, cocoCategory, cocoImage } from "../../../shared/coco/items/writeItems";
import type { SegmentationForm } from "../../../shared/entities/export";
import { layerOf, type Stacked } from "../../../shared/rules/stacking";
import { stageOf } from "../../../shared/rules/stages";
import { AnnotationItems } from "./cocoItem";
import { isShown, type LocalScene, liveCategories, makePause } from "./shown";

/** Length of the text that becomes one part of a blob, in characters. */
const PART_CHARACTERS = 1_000_000;

type Manifest = OutputOf<typeof getManifest>;

export interface CocoOptions {
  segmentation?: SegmentationForm | undefined;
  /** Category ids; empty and undefined mean all. */
  categories?: readonly number[] | undefined;
  /** True to include images without annotations. */
  withEmptyImages?: boolean | undefined;
  onlyAccepted?: boolean | undefined;
  /** Folder with a trailing slash, including its sub-folders; "" and undefined mean the whole dataset. */
  folder?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Returns the COCO of one image, equal to `getImageCoco` for the same data. */
export function imageCoco(
  scene: LocalScene,
  categories: readonly ManifestCategory[],
  form?: SegmentationForm,
): OutputOf<typeof getImageCoco> {
  const live = liveCategories(categories);
  const used = new Map<number, ManifestCategory>();
  const annotations = itemsOf(scene, live, new AnnotationItems(form), used);
  const written = [...used.values()].sort((a, b) => a.id - b.id).map(cocoCategory);
  // The declared output is plain JSON, so the objects are written as JSON and parsed again.
  return JSON.parse(JSON.stringify({ images: [cocoImage(scene.image)], categories: written, annotations }));
}

/**
 * Returns the COCO file of a dataset's scenes, which are given in order of image id. Its content equals that of
 * `getDatasetCoco` for the same data, except `info.date_created`. The file is made of parts, so that no string grows
 * with the dataset. Rejects with the signal's reason.
 */
export async function datasetCoco(
  dataset: Pick<Manifest["dataset"], "id" | "name" | "categories" | "licenses">,
  categories: readonly ManifestCategory[],
  scenes: AsyncIterable<LocalScene>,
  options: CocoOptions = {},
): Promise<Blob> {
  const live = chosen(liveCategories(categories), options.categories);
  const [images, annotations] = [new PartsOfBlob(), new PartsOfBlob()];
  const items = new AnnotationItems(options.segmentation);
  const used = new Map<number, ManifestCategory>();
  const pause = makePause();
  for await (const scene of scenes) {
    options.signal?.throwIfAborted();
    if (!scene.image.path.startsWith(options.folder ?? "")) continue;
    if (options.onlyAccepted && stageOf(scene.image) !== "accepted") continue;
    const written = itemsOf(scene, live, items, used);
    if (written.length === 0 && !options.withEmptyImages) continue;
    images.addItem(cocoImage(scene.image));
    for (const item of written) {
      annotations.addItem(item);
      await pause();
    }
  }
  const listed = new Set(dataset.categories);
  const exported = [...live.values()].filter(({ id }) => listed.has(id) || used.has(id)).sort((a, b) => a.id - b.id);
  const info = { description: dataset.name, date_created: new Date().toISOString() };
  const licenses = dataset.licenses ? `"licenses":${JSON.stringify(dataset.licenses)},` : "";
  return new Blob(
    [
      `{"info":${JSON.stringify(info)},${licenses}"images":[`,
      ...images.parts(),
      `],"categories":${JSON.stringify(exported.map(cocoCategory))},"annotations":[`,
      ...annotations.parts(),
      "]}",
    ],
    { type: "application/json" },
  );
}

function chosen(live: Map<number, ManifestCategory>, ids: readonly number[] | undefined) {
  if (!ids?.length) return live;
  return new Map([...live].filter(([id]) => ids.includes(id)));
}

const byLayer = (a: Stacked, b: Stacked): number => layerOf(a) - layerOf(b);

/** Returns the items of a scene's shown annotations, by layer and id. Adds their categories to `used`. */
function itemsOf(
  { image, annotations }: LocalScene,
  live: ReadonlyMap<number, ManifestCategory>,
  items: AnnotationItems,
  used: Map<number, ManifestCategory>,
): CocoObject[] {
  const { width, height } = image;
  return annotations
    .filter(isShown)
    .sort(byLayer)
    .flatMap<CocoObject>((annotation) => {
      const category = live.get(annotation.category_id);
      if (!category) return [];
      used.set(category.id, category);
      return items.itemOf(annotation, category, { width, height });
    });
}

/** A list of JSON items that grows outside JavaScript's memory: browsers may store blobs on disk. */
class PartsOfBlob {
  private readonly blobs: Blob[] = [];
  private text = "";
  private isEmpty = true;

  addItem(item: unknown): void {
    this.text += `${this.isEmpty ? "" : ","}${JSON.stringify(item)}`;
    this.isEmpty = false;
    if (this.text.length < PART_CHARACTERS) return;
    this.blobs.push(new Blob([this.text]));
    this.text = "";
  }

  /** Returns the items separated by commas. */
  parts(): (Blob | string)[] {
    return [...this.blobs, this.text];
  }
}
