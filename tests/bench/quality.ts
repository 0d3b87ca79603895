import { linkSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import sharp from "sharp";
import type { Schema } from "../../server/db/schema";
import { measure } from "../../shared/coco/measure";
import type { Task } from "../../shared/entities/task";
import { seededRandom } from "../support/seededRandom";
import { type Bed, postgresBed } from "./bed";
import { type Figure, timed } from "./figures";
import { memory, peakMemory } from "./memory";
import { polygon, seedImages, vacuum } from "./seed";

/** Number of images to which the goal applies. */
const GOAL_IMAGES = 100_000;
/** `npm run bench -- quality 10000` measures fewer images. */
const IMAGES = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? GOAL_IMAGES);
const OF_AN_IMAGE = 10;
const [WIDTH, HEIGHT] = [640, 480];
/** Number of different pictures; more files are links to them. */
const PICTURES = 500;
const SHAPES = 60;
const IMAGES_A_BATCH = 1_000;
/** Percent of the first check after which it is cancelled. */
const CANCELLED_AT = 20;
const MINUTES = 15;

/** Measures the quality check of 100,000 images with a million annotations, cancelled once and then continued. */
export async function quality(): Promise<Figure[]> {
  const bed = await postgresBed();
  try {
    const dataset = await bed.client.send<{ id: number }>("POST", "dataset/", { name: "quality" });
    const category = await bed.client.send<{ id: number }>("POST", "category/", { name: "thing" });
    await bed.rows(async ({ db }) => {
      await seedImages(db, dataset.id, IMAGES);
      await sql`update images set width = ${WIDTH}::int, height = ${HEIGHT}::int, num_annotations = ${OF_AN_IMAGE}::int,
        annotated = true`.execute(db);
      await seedAnnotations(db, dataset.id, category.id);
      const row = await db
        .selectFrom("datasets")
        .select("folder")
        .where("id", "=", dataset.id)
        .executeTakeFirstOrThrow();
      await writeFiles(join(bed.server.dataDir, "datasets", row.folder));
    });
    const before = memory(bed.server.pid);
    const cancelled = await timed(() => check(bed, dataset.id, CANCELLED_AT));
    const rest = await timed(() => check(bed, dataset.id));
    const again = await timed(() => check(bed, dataset.id));
    const more = Math.round(peakMemory(bed.server.pid) - before);
    const minutes = (cancelled.ms + rest.ms) / 60_000;
    const files = (rest.value.result as { read: number }).read;
    return [
      {
        what: `Quality check of ${IMAGES.toLocaleString("en")} images and ${(OF_AN_IMAGE * IMAGES).toLocaleString("en")} annotations, PostgreSQL`,
        ours: `${minutes.toFixed(1)} min, cancelled once (${files.toLocaleString("en")} files were left); ${(again.ms / 1000).toFixed(1)} s for the next check, which only looks at more annotations; ${more} MB more memory`,
        peer: "-",
        ratio: null,
        goal: `less than ${MINUTES} min for ${GOAL_IMAGES.toLocaleString("en")} images`,
        met: IMAGES >= GOAL_IMAGES && minutes < MINUTES && files < IMAGES,
      },
    ];
  } finally {
    await bed.remove();
  }
}

/** Runs a check to its end, or cancels it when its progress reaches `until` percent. Returns the task. */
async function check({ client }: Bed, datasetId: number, until = 101): Promise<Task> {
  const { id } = await client.send<{ id: number }>("POST", `dataset/${datasetId}/quality/check`, {});
  for (let isCancelled = false; ; ) {
    const task = (await client.get<Task[]>("tasks/")).find((each) => each.id === id);
    if (!task) throw new Error("The task is gone.");
    if (task.completed && task.state !== (isCancelled ? "cancelled" : "done"))
      throw new Error(`The task ${task.state}.`);
    if (task.completed) return task;
    if (task.progress >= until && !isCancelled) {
      await client.send("POST", `tasks/${id}/cancel`, {});
      isCancelled = true;
    }
    await wait(200);
  }
}

async function seedAnnotations(db: Kysely<Schema>, datasetId: number, categoryId: number): Promise<void> {
  const shapes = Array.from({ length: SHAPES }, (_, n) => {
    const ring = polygon(n).map((value) => value / 2);
    return { n, shape: [ring], ...measure([[ring]], WIDTH, HEIGHT) };
  });
  const { rows } = await sql<{ first: number; last: number }>`
    select min(id) as first, max(id) as last from images where dataset_id = ${datasetId}`.execute(db);
  const { first, last } = rows[0]!;
  for (let from = first; from <= last; from += IMAGES_A_BATCH)
    await sql`
      insert into annotations (image_id, category_id, shape, area, bbox, color)
      select i.id, ${categoryId}::int, s.shape, s.area, s.bbox, '#336699'
      from images i join json_to_recordset(${JSON.stringify(shapes)}::json)
        as s(n int, shape json, area double precision, bbox jsonb)
        on (s.n - i.id * ${OF_AN_IMAGE}::int) % ${SHAPES}::int between -${SHAPES}::int + 1 and ${OF_AN_IMAGE}::int - 1
        and ((s.n - i.id * ${OF_AN_IMAGE}::int) % ${SHAPES}::int + ${SHAPES}::int) % ${SHAPES}::int < ${OF_AN_IMAGE}::int
      where i.dataset_id = ${datasetId}::int and i.id between ${from}::int and ${from + IMAGES_A_BATCH - 1}::int`.execute(
      db,
    );
  await vacuum(db, "annotations");
}

/** Writes the images' files: different pictures of the size of COCO's photographs, and links to them. */
async function writeFiles(folder: string): Promise<void> {
  const random = seededRandom(1);
  const pictures: string[] = [];
  for (let i = 0; i < Math.min(PICTURES, IMAGES); i++) {
    const cells = Buffer.from(Array.from({ length: 80 * 60 * 3 }, () => Math.floor(256 * random())));
    const path = join(folder, `picture ${i}`);
    const picture = sharp(cells, { raw: { width: 80, height: 60, channels: 3 } });
    writeFileSync(path, await picture.resize(WIDTH, HEIGHT).jpeg({ quality: 90 }).toBuffer());
    pictures.push(path);
  }
  for (let part = 0; part < 20; part++) mkdirSync(join(folder, `part${part}`), { recursive: true });
  for (let n = 1; n <= IMAGES; n++)
    linkSync(pictures[n % pictures.length]!, join(folder, `part${n % 20}`, `${String(n).padStart(8, "0")}.jpg`));
}
