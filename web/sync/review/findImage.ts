import { type AnnotatorScene, getAnnotatorData } from "../../../shared/api/annotator";
import { listDatasets } from "../../../shared/api/datasets/dataset";
import { getDataset } from "../../../shared/api/datasets/datasetImages";
import { RequestError, request } from "../../io/http/request";
import type { Place } from "../journal/journal";

/** An image of this installation, as shown in the review. */
export interface FoundImage {
  id: number;
  path: string;
  dataset: string;
  width: number;
  height: number;
}

/** Page size, the maximum of the server: many file names may contain the wanted one. */
const PAGE = 1_000;

/**
 * Returns for each place the image with the same dataset name, path in the dataset and size. Places without an image
 * that the user may see are left out.
 */
export async function findSameImages(places: readonly Place[], signal?: AbortSignal): Promise<Map<Place, FoundImage>> {
  const found = new Map<Place, FoundImage>();
  const datasets = places.length > 0 ? await request(listDatasets, {}, { signal }) : [];
  for (const place of places) {
    const named = datasets.filter(({ name }) => name === place.dataset);
    for (const { id } of named) {
      const image = await findInDataset(id, place, signal);
      if (image) found.set(place, image);
    }
  }
  return found;
}

async function findInDataset(id: number, place: Place, signal?: AbortSignal): Promise<FoundImage | undefined> {
  const slash = place.path.lastIndexOf("/") + 1;
  const query = { folder: place.path.slice(0, slash), file_name__icontains: place.path.slice(slash), limit: PAGE };
  const images = await allPages((page) =>
    request(getDataset, { params: { id }, query: { ...query, page } }, { signal }),
  );
  const found = images.find((image) => image.path === place.path && isSameSize(image, place));
  return found && { id: found.id, path: found.path, dataset: place.dataset, width: found.width, height: found.height };
}

/** Returns the image with this id in this installation; undefined if the user can see no such image. */
export async function imageOfNumber(imageId: number, signal?: AbortSignal): Promise<FoundImage | undefined> {
  const scene = await loadScene(imageId, signal);
  if (!scene) return undefined;
  const { id, path, width, height } = scene.image;
  return { id, path, dataset: scene.dataset.name, width, height };
}

interface Page<T> {
  pages: number;
  images: T[];
}

async function allPages<T>(ask: (page: number) => Promise<Page<T>>): Promise<T[]> {
  const first = await ask(1);
  const images = [...first.images];
  for (let page = 2; page <= first.pages; page++) images.push(...(await ask(page)).images);
  return images;
}

const isSameSize = (a: Pick<Place, "width" | "height">, b: Pick<Place, "width" | "height">): boolean =>
  a.width === b.width && a.height === b.height;

/** Returns the scene of the image with this id; null if the user can see no such image. */
export async function loadScene(imageId: number, signal?: AbortSignal): Promise<AnnotatorScene | null> {
  const query = { shape: "rings" as const };
  try {
    // With `shape: "rings"` the response is a scene.
    return (await request(getAnnotatorData, { params: { id: imageId }, query }, { signal })) as AnnotatorScene;
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) return null;
    throw error;
  }
}

/** Returns true if the scene shows the image on which the edits were made. */
export const isSameImage = ({ image, dataset }: AnnotatorScene, place: Place | undefined): boolean =>
  place !== undefined && dataset.name === place.dataset && image.path === place.path && isSameSize(image, place);
