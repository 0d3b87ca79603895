import { resolve } from "node:path";
import { type Bitmap, iou, rasterise } from "../../model/evaluate/masks/bitmap";
import { boundsOf } from "../../model/evaluate/masks/clicks";
import { type PackedObject, packsIn, readPack, readSample } from "../../model/evaluate/pack";
import type { Rings } from "../../shared/entities/shape";
import { type Bed, embeddedBed, postgresBed } from "./bed";
import { type Figure, timed } from "./figures";

/** Packs beside the repository; `npm run bench -- boxes --data=FOLDER` reads others. */
const FOLDER =
  process.argv.find((word) => word.startsWith("--data="))?.slice("--data=".length) ?? "../shared/dextr-data-480";
const SPLIT = "train2-coco";
const [IMAGES, MOST_BOXES] = [128, 939];
const UPLOADED_AT_ONCE = 32;
const GOAL_S = 60;

/** A photograph with its objects. */
interface Photo {
  name: string;
  width: number;
  height: number;
  webp: Buffer;
  masks: Bitmap[];
}

/** Measures the task that turns the boxes of a dataset into outlines, and its undo, on both databases. */
export async function boxes(): Promise<Figure[]> {
  const photos = await readPhotos();
  const figures: Figure[] = [];
  for (const makeBed of [postgresBed, embeddedBed]) {
    const bed = await makeBed();
    try {
      figures.push(await measureOn(bed, photos));
    } finally {
      await bed.remove();
    }
  }
  return figures;
}

/** Returns the photographs with the most objects. */
async function readPhotos(): Promise<Photo[]> {
  const folder = resolve(FOLDER);
  const { names } = await packsIn(folder, SPLIT);
  const objects = (await Promise.all(names.map((name) => readPack(folder, name)))).flat();
  const byPhoto = new Map<PackedObject["item"], PackedObject[]>();
  for (const object of objects) byPhoto.set(object.item, [...(byPhoto.get(object.item) ?? []), object]);
  const chosen = [...byPhoto.values()].sort((a, b) => b.length - a.length).slice(0, IMAGES);
  const photos: Photo[] = [];
  let left = MOST_BOXES;
  for (const [n, of] of chosen.entries()) {
    // Every image gets at least one box.
    const count = Math.min(of.length, Math.max(1, Math.ceil(left / (chosen.length - n))));
    left -= count;
    photos.push(await readPhoto(`${n}.webp`, of.slice(0, count)));
  }
  return photos;
}

async function readPhoto(name: string, objects: PackedObject[]): Promise<Photo> {
  const [first] = objects;
  if (!first) throw new Error("A photograph has no object.");
  const { pack, item } = first;
  const [start, size] = item.i;
  const masks: Bitmap[] = [];
  for (const object of objects) masks.push((await readSample(object, 1)).mask);
  return { name, width: item.w, height: item.h, webp: pack.bytes.subarray(start, start + size), masks };
}

async function measureOn({ client, kind }: Bed, photos: Photo[]): Promise<Figure> {
  const { id } = await client.send<{ id: number }>("POST", "dataset/", { name: "boxes" });
  for (let from = 0; from < photos.length; from += UPLOADED_AT_ONCE) {
    const form = new FormData();
    for (const { name, webp } of photos.slice(from, from + UPLOADED_AT_ONCE))
      form.append("files", new Blob([new Uint8Array(webp)]), name);
    await client.fetch("POST", `dataset/${id}/upload`, form);
  }
  const form = new FormData();
  form.append("coco", new Blob([JSON.stringify(cocoOf(photos))]), "boxes.json");
  const imported = (await (await client.fetch("POST", `dataset/${id}/coco`, form)).json()) as { id: number };
  await client.finished(imported.id);
  const all = { filter: {} };
  const count = () => client.send<{ boxes: number; images: number }>("POST", `dataset/${id}/boxes/count`, all);
  const before = await count();

  const outlined = await timed(async () => {
    const task = await client.send<{ id: number }>("POST", `dataset/${id}/boxes/outline`, all);
    return (await client.finished(task.id)).result as { outlined: number; kept: number; undo: string };
  });
  const quality = await meanIou(client, id, photos);
  const undone = await timed(async () => {
    const task = await client.send<{ id: number }>("POST", `dataset/${id}/boxes/undo`, { undo: outlined.value.undo });
    await client.finished(task.id);
  });
  const after = await count();
  const seconds = outlined.ms / 1000;
  return {
    what: `${before.boxes} boxes on ${before.images} photographs to outlines, ${kind}`,
    ours: `${seconds.toFixed(1)} s (${(outlined.ms / before.boxes).toFixed(0)} ms a box), ${outlined.value.outlined} outlined, mean IoU ${quality.toFixed(3)}; undone in ${(undone.ms / 1000).toFixed(1)} s`,
    peer: "-",
    ratio: null,
    goal: `under ${GOAL_S} s, and all boxes again after undo`,
    met: seconds < GOAL_S && after.boxes === before.boxes,
    note: "Photographs that the network was trained on, so the IoU says little; model/CARD.md has the others.",
  };
}

/** Returns a COCO file with the boxes of all objects. */
function cocoOf(photos: Photo[]) {
  const annotations = photos.flatMap(({ masks }, n) =>
    masks.map((mask) => ({ image_id: n + 1, bbox: boundsOf(mask) })),
  );
  return {
    images: photos.map(({ name, width, height }, n) => ({ id: n + 1, file_name: name, width, height })),
    categories: [{ id: 1, name: "object" }],
    annotations: annotations.map((one, n) => ({ ...one, id: n + 1, category_id: 1, isbbox: true, segmentation: [] })),
  };
}

/** Returns the mean IoU of the stored outlines with the masks whose boxes they were made from. */
async function meanIou(client: Bed["client"], datasetId: number, photos: Photo[]): Promise<number> {
  const { images } = await client.get<{ images: { id: number; file_name: string }[] }>(
    `dataset/${datasetId}/data?limit=${photos.length}`,
  );
  const idOf = new Map(images.map(({ id, file_name }) => [file_name, id]));
  const found: number[] = [];
  for (const { name, masks } of photos) {
    const { categories } = await client.get<{ categories: { annotations: { id: number; rings: Rings }[] }[] }>(
      `annotator/data/${idOf.get(name)}?shape=rings`,
    );
    const stored = categories.flatMap(({ annotations }) => annotations).sort((a, b) => a.id - b.id);
    if (stored.length !== masks.length) throw new Error(`${stored.length} annotations on ${name}`);
    for (const [n, mask] of masks.entries())
      found.push(iou(rasterise(stored[n]!.rings, mask.width, mask.height), mask, null));
  }
  return found.reduce((sum, one) => sum + one, 0) / found.length;
}
