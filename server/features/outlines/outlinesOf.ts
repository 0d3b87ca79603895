import { createHash } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { OutlinesOfImage } from "../../../shared/api/datasets/outlines";
import { ImageOutlines, MAX_OUTLINED } from "../../../shared/outlines/imageOutlines";
import { version } from "../../base/version";
import { isLiveImage } from "../../db/rows/images";
import type { Schema } from "../../db/schema";
import { makePause } from "../../threads/makePause";
import { outlineCache } from "./outlineCache";
import { outlinedOf, readOutlined } from "./readOutlined";

/** An image whose outlines are requested. */
interface WantedImage {
  id: number;
  width: number;
  height: number;
  num_annotations: number;
  /** Changes with every write of the image's row, since xmin is the number of the writing transaction. */
  version: string;
  categories: number[];
}

/** The outlines of some images: a tag that identifies their content, and their JSON, which is made only when needed. */
export interface Outlines {
  /** ETag: changes with the images and the categories' colours. */
  tag: string;
  json: () => AsyncGenerator<string>;
}

/** Returns the outlines of a dataset's images. The caller must have checked that the user may see the dataset. */
export async function outlinesOf(db: Kysely<Schema>, datasetId: number, ids: readonly number[]): Promise<Outlines> {
  const { rows } = await sql<WantedImage>`
    select id, width, height, num_annotations, revision || ':' || xmin as version, categories
    from images where id = any(${ids}::int[]) and dataset_id = ${datasetId} and ${isLiveImage()}`.execute(db);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const images = [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
  const used = [...new Set(images.flatMap(({ categories }) => categories))].sort((a, b) => a - b);
  const { rows: categories } = await sql<{ id: number; color: string }>`
    select id, color from categories where id = any(${used}::int[]) order by id`.execute(db);
  const seen = [version().number, images.map((image) => [image.id, image.version]), categories];
  const tag = createHash("sha1").update(JSON.stringify(seen)).digest("base64url");
  return { tag, json: () => outlinesText(db, images, categories) };
}

async function* outlinesText(
  db: Kysely<Schema>,
  images: readonly WantedImage[],
  categories: readonly { id: number; color: string }[],
): AsyncGenerator<string> {
  yield `{"categories":${JSON.stringify(categories)},"outlines":[`;
  let comma = "";
  for (const group of groupsOf(images)) {
    for (const json of await outlinesOfGroup(db, group)) {
      yield comma + json;
      comma = ",";
    }
  }
  yield "]}";
}

/** Number of images whose annotations are read at once. */
const GROUP = 8;
/** Number of annotations above which an image is read by itself. */
const MANY = 1_000;

function groupsOf(images: readonly WantedImage[]): WantedImage[][] {
  const groups: WantedImage[][] = [];
  for (const image of images) {
    const group = groups.at(-1);
    const isFull = !group || group.length >= GROUP || [image, ...group].some((each) => each.num_annotations > MANY);
    if (isFull) groups.push([image]);
    else group.push(image);
  }
  return groups;
}

async function outlinesOfGroup(db: Kysely<Schema>, images: readonly WantedImage[]): Promise<string[]> {
  const cache = outlineCache(db);
  const known = new Map(images.map(({ id, version }) => [id, cache.get(id, version)]));
  const missing = images.filter(({ id }) => known.get(id) === undefined);
  const read = await readOutlined(
    db,
    missing.filter(({ num_annotations }) => num_annotations > 0).map(({ id }) => id),
  );
  const pause = makePause();
  for (const { id, width, height, num_annotations, version } of missing) {
    const outlines = new ImageOutlines(width, height);
    const rows = read.get(id) ?? [];
    for (const row of rows) {
      outlines.add(outlinedOf(row));
      await pause();
    }
    const omitted = rows.length < MAX_OUTLINED ? 0 : Math.max(0, num_annotations - rows.length);
    const json = JSON.stringify({ id, paths: outlines.result(), omitted } satisfies OutlinesOfImage);
    cache.set(id, { version, json });
    known.set(id, json);
  }
  return images.map(({ id }) => known.get(id)!);
}
