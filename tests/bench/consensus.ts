import { linkSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import sharp from "sharp";
import type { Database } from "../../server/db/open/database";
import type { Schema } from "../../server/db/schema";
import { measure } from "../../shared/coco/measure";
import { seededRandom } from "../support/seededRandom";
import type { Bed } from "./bed";
import { Client } from "./client";
import { type Figure, timed } from "./figures";
import { polygon, seedImages, vacuum } from "./seed";
import { median } from "./sideBySide";

/** `npm run bench -- consensus 100` measures fewer images. */
const IMAGES = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? 1_000);
const USERS = 5;
const PICTURES = 20;
const [WIDTH, HEIGHT] = [640, 480];
const OBJECTS = 8;
const POINTS = 40;
const MERGED = 20;
/** Longest time without an answer or progress, in milliseconds. */
const GOAL_MS = 3_000;

interface Shown {
  pending: number;
  agreement: { matched: number };
}

/** Measures giving many images to several users, comparing what they have drawn, and merging it. */
export async function consensus(bed: Bed): Promise<Figure[]> {
  const { client } = bed;
  const dataset = await client.send<{ id: number }>("POST", "dataset/", { name: "given" });
  const category = await client.send<{ id: number }>("POST", "category/", { name: "thing" });
  const users = Array.from({ length: USERS }, (_, i) => `user${i + 1}`);
  for (const name of users) await new Client(bed.server.url, name).register(name);
  await bed.rows(async (database) => {
    await seedImages(database.db, dataset.id, IMAGES);
    await writeFiles(bed, database, dataset.id);
  });
  const give = await timed(async () => {
    const task = await client.send<{ id: number }>("POST", `dataset/${dataset.id}/consensus/give`, {
      filter: {},
      users,
    });
    return client.finished(task.id);
  });
  await bed.rows(({ db }) => annotate(db, dataset.id, category.id));
  const path = `dataset/${dataset.id}/consensus`;
  const [first, list] = await Promise.all([
    timed(() => client.get<Shown>(path)),
    timed(() => client.get<{ images: { id: number }[] }>(`${path}/images`)),
  ]);
  const rest = await timed(async () => {
    for (let shown = first.value; ; shown = await client.get<Shown>(path)) {
      if (shown.pending === 0) return shown;
      await wait(1_000);
    }
  });
  const again = await timed(() => client.get<Shown>(path));
  const sorted = await timed(() => client.get<{ images: { id: number }[] }>(`${path}/images`));
  const merges: number[] = [];
  for (const { id } of sorted.value.images.slice(0, MERGED)) merges.push((await timed(() => merge(client, id))).ms);
  const copies = USERS * IMAGES;
  const pairs = (IMAGES * USERS * (USERS - 1)) / 2;
  const what = `${IMAGES.toLocaleString("en")} images given to ${USERS} users, ${bed.kind}`;
  const longest = (...each: { ms: number }[]) => Math.max(...each.map(({ ms }) => ms));
  return [
    {
      what: `${what}: copies, in a task`,
      ours: `${(give.ms / 1000).toFixed(1)} s, ${(give.ms / copies).toFixed(1)} ms a copy`,
      peer: "-",
      ratio: null,
      goal: "progress shown",
      met: (give.value.result as { given: number }).given === copies,
    },
    {
      what: `${what}: comparing ${pairs.toLocaleString("en")} pairs of ${OBJECTS} outlines of ${POINTS} points`,
      ours: `first figures after ${(first.ms / 1000).toFixed(1)} s, the list of images after ${(list.ms / 1000).toFixed(1)} s, all after ${((first.ms + rest.ms) / 1000).toFixed(1)} s; later ${(again.ms / 1000).toFixed(2)} s and ${(sorted.ms / 1000).toFixed(2)} s`,
      peer: "-",
      ratio: null,
      goal: `answers within ${GOAL_MS / 1000} s, with the number that is left`,
      met: longest(first, list, again, sorted) < GOAL_MS && rest.value.agreement.matched > 0,
    },
    {
      what: `${what}: opening an image's copies and merging them, median of ${merges.length}`,
      ours: `${median(merges).toFixed(0)} ms, longest ${Math.max(...merges).toFixed(0)} ms`,
      peer: "-",
      ratio: null,
      goal: `at most ${GOAL_MS / 1000} s`,
      met: Math.max(...merges) < GOAL_MS,
    },
  ];
}

/** Opens the copies of an image, and writes the mean outline of each object into it. */
async function merge(client: Client, id: number): Promise<void> {
  const view = await client.get<{
    annotators: { copy_id: number; revision: number }[];
    objects: { annotations: number[] }[];
  }>(`image/${id}/consensus`);
  const { created } = await client.send<{ created: number }>("POST", `image/${id}/consensus/merge`, {
    objects: view.objects.map(({ annotations }) => ({ annotations, how: annotations.length > 1 ? "mean" : "one" })),
    replace: false,
    revisions: view.annotators.map(({ copy_id, revision }) => ({ copy_id, revision })),
  });
  if (created === 0) throw new Error("Nothing was merged.");
}

/** Writes the images' files: some pictures, and links to them. */
async function writeFiles({ server }: Bed, { db }: Database, datasetId: number): Promise<void> {
  await sql`update images set width = ${WIDTH}::int, height = ${HEIGHT}::int where dataset_id = ${datasetId}::int`.execute(
    db,
  );
  const dataset = await db
    .selectFrom("datasets")
    .select("folder")
    .where("id", "=", datasetId)
    .executeTakeFirstOrThrow();
  const folder = join(server.dataDir, "datasets", dataset.folder);
  const random = seededRandom(1);
  const pictures: string[] = [];
  for (let i = 0; i < PICTURES; i++) {
    const cells = Buffer.from(Array.from({ length: 80 * 60 * 3 }, () => Math.floor(256 * random())));
    const picture = join(folder, `picture ${i}`);
    const file = sharp(cells, { raw: { width: 80, height: 60, channels: 3 } }).resize(WIDTH, HEIGHT);
    writeFileSync(picture, await file.jpeg({ quality: 90 }).toBuffer());
    pictures.push(picture);
  }
  for (let part = 0; part < 20; part++) mkdirSync(join(folder, `part${part}`), { recursive: true });
  for (let n = 1; n <= IMAGES; n++)
    linkSync(pictures[n % PICTURES]!, join(folder, `part${n % 20}`, `${String(n).padStart(8, "0")}.jpg`));
}

/** Draws the same objects on each copy, each a little moved, and marks the copies as done. */
async function annotate(db: Kysely<Schema>, datasetId: number, categoryId: number): Promise<void> {
  const shapes = Array.from({ length: USERS * OBJECTS }, (_, n) => {
    const ring = polygon(n % OBJECTS, POINTS).map((value) => value / 2.5 + Math.floor(n / OBJECTS));
    return { n, shape: [ring], ...measure([[ring]], WIDTH, HEIGHT) };
  });
  const { rows } = await sql<{ dataset_id: number }>`
    select dataset_id from consensus_datasets where source_id = ${datasetId}::int order by dataset_id`.execute(db);
  for (const [user, { dataset_id }] of rows.entries()) {
    await sql`
      insert into annotations (image_id, category_id, shape, area, bbox, color)
      select i.id, ${categoryId}::int, s.shape, s.area, s.bbox, '#336699'
      from images i, json_to_recordset(${JSON.stringify(shapes.slice(user * OBJECTS, (user + 1) * OBJECTS))}::json)
        as s(shape json, area double precision, bbox jsonb)
      where i.dataset_id = ${dataset_id}::int`.execute(db);
    await sql`update images set done = true, stage = 'accepted', annotated = true, num_annotations = ${OBJECTS}::int
      where dataset_id = ${dataset_id}::int`.execute(db);
  }
  await vacuum(db, "annotations");
}
