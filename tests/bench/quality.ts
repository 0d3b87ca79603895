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
import { type Seen, startBystander } from "./bystander";
import { cpuOfChildren, cpuOfProcess } from "./cpuTime";
import { type Figure, timed } from "./figures";
import { p99 } from "./latencies";
import { memory, peakMemory } from "./memory";
import { polygon, seedImages, vacuum } from "./seed";
import { median } from "./sideBySide";

/** Number of images to which the goal applies. */
const GOAL_IMAGES = 100_000;
/** `npm run bench -- quality 10000` measures fewer images. */
const IMAGES = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? GOAL_IMAGES);
const OF_AN_IMAGE = 10;
const [WIDTH, HEIGHT] = [640, 480];
/** Number of different pictures; more files are links to them. */
const PICTURES = 500;
/** Side of the random cells of a picture, in pixels, and its quality: about as slow to decode as COCO's photographs. */
const [CELL, QUALITY] = [4, 90];
const SHAPES = 60;
const IMAGES_A_BATCH = 1_000;
/** Percent of the check after which it is cancelled, and after which the server is killed. */
const [CANCELLED_AT, KILLED_AT] = [20, 40];
const MINUTES = 15;
/** Largest number of images that are checked a second time, undisturbed, to compare what is found. */
const MOST_REPEATED = 10_000;
/** Pause between two requests of another user, and the longest that one may take, in milliseconds. */
const [PAUSE_MS, GOAL_MS] = [200, 500];

/**
 * Measures the quality check of 100,000 images with a million annotations, cancelled once, killed once with the server
 * (kill -9), and continued; and the requests of another user meanwhile.
 */
export async function quality(): Promise<Figure[]> {
  const bed = await postgresBed();
  try {
    const dataset = await bed.client.send<{ id: number }>("POST", "dataset/", { name: "quality" });
    const other = await bed.client.send<{ id: number }>("POST", "dataset/", { name: "other" });
    const category = await bed.client.send<{ id: number }>("POST", "category/", { name: "thing" });
    const imageId = await bed.rows(async ({ db }) => {
      await seedImages(db, dataset.id, IMAGES);
      await seedImages(db, other.id, 1);
      for (const id of [dataset.id, other.id]) await seedAnnotations(db, id, category.id);
      const { folder } = await db
        .selectFrom("datasets")
        .select("folder")
        .where("id", "=", dataset.id)
        .executeTakeFirstOrThrow();
      await writeFiles(join(bed.server.dataDir, "datasets", folder));
      const image = await db
        .selectFrom("images")
        .select("id")
        .where("dataset_id", "=", other.id)
        .executeTakeFirstOrThrow();
      return image.id;
    });
    const seen: Seen = { times: [], failed: 0 };
    const watched = async (work: () => Promise<Task>): Promise<Task> => {
      const bystander = await startBystander(bed.client, { imageId, pauseMs: PAUSE_MS });
      try {
        return await work();
      } finally {
        const { times, failed } = await bystander.end();
        seen.times.push(...times);
        seen.failed += failed;
      }
    };
    const before = memory(bed.server.pid);
    const databaseBefore = cpuOfChildren(bed.databasePid ?? 0);
    const cancelled = await timed(() => watched(() => check(bed, dataset.id, { until: CANCELLED_AT })));
    const killed = await timed(async () => {
      const task = await check(bed, dataset.id, { until: KILLED_AT, isEndedByCaller: true });
      const cpu = cpuOfProcess(bed.server.pid);
      await bed.server.kill();
      await bed.server.start();
      return { cpu, id: task.id };
    });
    const rest = await timed(() => watched(() => follow(bed, killed.value.id)));
    const more = Math.round(peakMemory(bed.server.pid) - before);
    const database = cpuOfChildren(bed.databasePid ?? 0) - databaseBefore;
    const cpuMinutes = (killed.value.cpu + cpuOfProcess(bed.server.pid) + database) / 60_000;
    const minutes = (cancelled.ms + killed.ms + rest.ms) / 60_000;
    const page = await timed(() => bed.client.get(`dataset/${dataset.id}/quality`));
    const files = (rest.value.result as { read: number }).read;
    const count = `${IMAGES.toLocaleString("en")} images and ${(OF_AN_IMAGE * IMAGES).toLocaleString("en")} annotations`;
    const isSame = IMAGES > MOST_REPEATED || (await isSameUndisturbed(bed, dataset.id));
    return [
      {
        what: `Quality check of ${count}, cancelled once, killed once with the server, PostgreSQL`,
        ours: `${minutes.toFixed(1)} min, ${cpuMinutes.toFixed(1)} min of CPU of the server and the database; ${files.toLocaleString("en")} files were left at the end of the lease; ${more} MB more memory; the tab's counts in ${page.ms.toFixed(0)} ms${IMAGES > MOST_REPEATED ? "" : `; findings ${isSame ? "equal" : "DIFFERENT"} to those of an undisturbed check`}`,
        peer: "-",
        ratio: null,
        goal: `less than ${MINUTES} min on two cores for ${GOAL_IMAGES.toLocaleString("en")} images`,
        met: IMAGES >= GOAL_IMAGES && minutes < MINUTES && files < IMAGES && isSame,
      },
      {
        what: "Another user's opening of an image during this check",
        ours: `p99 ${p99(seen.times).toFixed(0)} ms, median ${median(seen.times).toFixed(0)} ms, longest ${Math.max(...seen.times).toFixed(0)} ms of ${seen.times.length}, ${seen.failed} failed`,
        peer: "-",
        ratio: null,
        goal: `p99 under ${GOAL_MS} ms`,
        met: p99(seen.times) < GOAL_MS && seen.failed === 0,
      },
    ];
  } finally {
    await bed.remove();
  }
}

interface Interruption {
  /** Percent of progress after which the check is cancelled. */
  until: number;
  /** True to return the running task then, instead of cancelling it. */
  isEndedByCaller?: boolean;
}

/** Runs a check to its end, or to an interruption. Returns the task. */
async function check(bed: Bed, datasetId: number, interruption?: Interruption): Promise<Task> {
  const { id } = await bed.client.send<{ id: number }>("POST", `dataset/${datasetId}/quality/check`, {});
  return follow(bed, id, interruption);
}

async function follow({ client }: Bed, id: number, { until, isEndedByCaller }: Interruption = { until: 101 }) {
  for (let isCancelled = false; ; ) {
    const task = (await client.get<Task[]>("tasks/")).find((each) => each.id === id);
    if (!task) throw new Error("The task is gone.");
    if (task.completed && task.state !== (isCancelled ? "cancelled" : "done"))
      throw new Error(`The task ${task.state}.`);
    if (task.completed) return task;
    if (task.progress >= until && !isCancelled) {
      if (isEndedByCaller) return task;
      await client.send("POST", `tasks/${id}/cancel`, {});
      isCancelled = true;
    }
    await wait(200);
  }
}

/** Checks the dataset again as if for the first time. Returns true if it finds the same. */
async function isSameUndisturbed(bed: Bed, datasetId: number): Promise<boolean> {
  const findings = () =>
    bed.rows(async ({ db }) => {
      const { rows } = await sql<{ findings: string }>`
        select string_agg(f.kind || ' ' || f.key || ' ' || f.score || ' ' || f.details, ';' order by f.kind, f.key) as findings
        from quality_findings f where f.dataset_id = ${datasetId}::int`.execute(db);
      return rows[0]?.findings;
    });
  const interrupted = await findings();
  await bed.rows(async ({ db }) => {
    for (const table of ["quality_findings", "quality_images", "quality_looks"])
      await sql`delete from ${sql.table(table)} where dataset_id = ${datasetId}::int`.execute(db);
  });
  await check(bed, datasetId);
  return interrupted === (await findings());
}

async function seedAnnotations(db: Kysely<Schema>, datasetId: number, categoryId: number): Promise<void> {
  const shapes = Array.from({ length: SHAPES }, (_, n) => {
    const ring = polygon(n).map((value) => value / 2);
    return { n, shape: [ring], ...measure([[ring]], WIDTH, HEIGHT) };
  });
  const { rows } = await sql<{ first: number; last: number }>`
    select min(id) as first, max(id) as last from images where dataset_id = ${datasetId}`.execute(db);
  const { first, last } = rows[0]!;
  for (let from = first; from <= last; from += IMAGES_A_BATCH) {
    await sql`update images set width = ${WIDTH}::int, height = ${HEIGHT}::int, num_annotations = ${OF_AN_IMAGE}::int,
      annotated = true where id between ${from}::int and ${from + IMAGES_A_BATCH - 1}::int`.execute(db);
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
  }
  for (const table of ["images", "annotations"] as const) await vacuum(db, table);
}

/**
 * Writes the images' files, and links to them: different pictures of the size of COCO's photographs, as slow to decode
 * as these, half of them with a colour profile.
 */
async function writeFiles(folder: string): Promise<void> {
  const random = seededRandom(1);
  const pictures: string[] = [];
  const [across, down] = [WIDTH / CELL, HEIGHT / CELL];
  for (let i = 0; i < Math.min(PICTURES, IMAGES); i++) {
    const cells = Buffer.from(Array.from({ length: across * down * 3 }, () => Math.floor(256 * random())));
    const path = join(folder, `picture ${i}`);
    const picture = sharp(cells, { raw: { width: across, height: down, channels: 3 } }).resize(WIDTH, HEIGHT);
    if (i % 2 === 0) picture.withIccProfile("srgb");
    writeFileSync(path, await picture.jpeg({ quality: QUALITY, chromaSubsampling: "4:4:4" }).toBuffer());
    pictures.push(path);
  }
  for (let part = 0; part < 20; part++) mkdirSync(join(folder, `part${part}`), { recursive: true });
  for (let n = 1; n <= IMAGES; n++)
    linkSync(pictures[n % pictures.length]!, join(folder, `part${n % 20}`, `${String(n).padStart(8, "0")}.jpg`));
}
