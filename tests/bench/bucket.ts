import { readdirSync } from "node:fs";
import { join } from "node:path";
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import sharp from "sharp";
import { openDatabase } from "../../server/db/open/database";
import { newImageRow } from "../../server/features/images/newImageRow";
import { makeFiles } from "../../server/files/files";
import { parseStorage } from "../../server/files/s3/bucket/storageAddress";
import { startWorker } from "../support/cluster/cluster";
import { startLiveServer } from "../support/liveServer";
import { S3_KEY, s3Program, startS3, type TestBucket } from "../support/startS3";
import { startDurablePostgres } from "./bed";
import { Client } from "./client";
import { type Figure, perSecond, timed } from "./figures";
import { p99 } from "./latencies";
import { peakMemory } from "./memory";
import { vacuum } from "./seed";
import { median } from "./sideBySide";

/** Images in the bucket; LIMN_BUCKET_IMAGES sets another number. */
const IMAGES = Number(process.env.LIMN_BUCKET_IMAGES ?? 100_000);
/** Images that the database does not know before the scan; LIMN_BUCKET_NEW sets another number, for slow S3 servers. */
const NEW = Number(process.env.LIMN_BUCKET_NEW ?? IMAGES);
const FOLDER = "big";
const SIZE = { width: 320, height: 240 };
const ROWS_AT_ONCE = 1_000;
const AT_ONCE = 12;
const PAGES = 10;
const THUMBNAILS_AT_ONCE = 6;
const GOAL = { listMs: 300, workerMb: 600 };

/**
 * Measures a dataset whose files were put into the bucket by another program: scan, list, thumbnails, filter and
 * export. With LIMN_FILLED_BUCKET (s3://bucket/prefix) and S3_ENDPOINT, uses objects that `fill` has put there before.
 */
export async function bucket(): Promise<Figure[]> {
  const filled = process.env.LIMN_FILLED_BUCKET;
  const program = s3Program();
  if (!program && !filled) throw new Error("Needs an S3 server (S3_SERVER).");
  Object.assign(process.env, S3_KEY);
  const s3 = filled ? undefined : await startS3(program ?? "");
  const settings = s3 ? await s3.makeBucket() : { STORAGE: filled ?? "", S3_ENDPOINT: process.env.S3_ENDPOINT ?? "" };
  const postgres = await startDurablePostgres();
  try {
    if (s3) await fill(settings);
    return await measure(settings, postgres.url);
  } finally {
    await postgres.stop();
    await s3?.stop();
  }
}

/** Puts small images of different bytes into the dataset's folder. */
async function fill({ STORAGE, S3_ENDPOINT }: TestBucket): Promise<void> {
  const client = new S3Client({ region: "us-east-1", endpoint: S3_ENDPOINT, forcePathStyle: true });
  const { bucket: Bucket, prefix } = parseStorage(STORAGE);
  const image = await sharp({ create: { ...SIZE, channels: 3, background: "#557799" } })
    .jpeg()
    .toBuffer();
  let next = 0;
  const put = async () => {
    for (let n = next++; n < IMAGES; n = next++) {
      const name = String(n).padStart(6, "0");
      const Key = `${prefix}datasets/${FOLDER}/part${String(n % 20).padStart(2, "0")}/${name}.jpg`;
      await client.send(new PutObjectCommand({ Bucket, Key, Body: withComment(image, name) }));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, put));
  client.destroy();
}

/** Returns a JPEG with a comment after its first marker. */
function withComment(jpeg: Buffer, text: string): Buffer {
  const comment = Buffer.from([0xff, 0xfe, 0, text.length + 2, ...Buffer.from(text)]);
  return Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)]);
}

async function measure(settings: TestBucket, databaseUrl: string): Promise<Figure[]> {
  const env = { DATABASE_URL: databaseUrl, ...settings, ...S3_KEY };
  const server = await startLiveServer({ ...env, TASK_CONCURRENCY: "0" });
  const worker = await startWorker(env);
  const what = `${IMAGES.toLocaleString("en")} images in a bucket`;
  const plain = { peer: "-", ratio: null };
  try {
    const client = new Client(server.url);
    await client.register();
    const { id } = await client.send<{ id: number }>("POST", "dataset/", { name: FOLDER });
    if (NEW < IMAGES) await addKnown(env, id);
    const scan = async () => {
      const task = await client.get<{ id: number }>(`dataset/${id}/scan`);
      return timed(() => client.finished(task.id));
    };
    const first = await scan();
    const scanned = peakMemory(worker.pid);
    const second = await scan();
    const { created } = first.value.result as { created: number };

    const list = `dataset/${id}/data?limit=52`;
    const pages = await times(PAGES, (n) => client.get(`${list}&page=${1 + n * 100}`));
    const filters = await times(PAGES, (n) => client.get(`${list}&file_name__icontains=${4242 + n}`));
    const { images } = await client.get<{ images: { id: number }[] }>(list);
    const show = () => timed(() => showThumbnails(client, images));
    const [cold, warm] = [await show(), await show()];

    const started = await client.get<{ id: number }>(`dataset/${id}/export?format=coco&with_empty_images=true`);
    const exported = await timed(() => client.finished(started.id));
    const part = "with_empty_images=true&with_images=true&folder=part00/";
    const zipping = await client.get<{ id: number }>(`dataset/${id}/export?format=coco&${part}`);
    const zipped = await timed(() => client.finished(zipping.id));
    const files = [server.dataDir, worker.dataDir].flatMap(filesIn);
    const perPart = Math.ceil(IMAGES / 20);
    return [
      {
        what: `Scan of ${what}${NEW < IMAGES ? `, of which ${NEW.toLocaleString("en")} are new` : ""}, and again without changes`,
        ours: `${seconds(first.ms)} (${perSecond(created, first.ms).toFixed(0)} new images/s), again ${seconds(second.ms)}; the worker took ${scanned.toFixed(0)} MB`,
        ...plain,
        goal: `all found, less than ${GOAL.workerMb} MB`,
        met: created === NEW && scanned < GOAL.workerMb,
      },
      {
        what: `A page of 52 of ${what}, and a filter by name`,
        ours: `page median ${median(pages).toFixed(0)} ms, longest ${p99(pages).toFixed(0)} ms; filter median ${median(filters).toFixed(0)} ms, longest ${p99(filters).toFixed(0)} ms`,
        ...plain,
        goal: `median less than ${GOAL.listMs} ms`,
        met: median(pages) < GOAL.listMs && median(filters) < GOAL.listMs,
      },
      {
        what: `52 thumbnails of ${what}, ${THUMBNAILS_AT_ONCE} at a time, and again`,
        ours: `${seconds(cold.ms)}, again ${seconds(warm.ms)}; the server took ${peakMemory(server.pid).toFixed(0)} MB`,
        ...plain,
        goal: "none",
        met: true,
      },
      {
        what: `Export of ${what} as COCO, and of ${perPart.toLocaleString("en")} with their files as a zip`,
        ours: `${seconds(exported.ms)}; ${seconds(zipped.ms)} (${perSecond(perPart, zipped.ms).toFixed(0)} files/s); the worker took ${peakMemory(worker.pid).toFixed(0)} MB in all`,
        ...plain,
        goal: `less than ${GOAL.workerMb} MB`,
        met: peakMemory(worker.pid) < GOAL.workerMb,
      },
      {
        what: `Files on the local disks after all this with ${what}`,
        ours: files.join(", ") || "none",
        ...plain,
        goal: "none of the dataset",
        met: files.every((file) => file === "installation.json"),
      },
    ];
  } finally {
    await worker.remove();
    await server.remove();
  }
}

/** Adds rows for all files but the first `NEW`, as an earlier scan would have. */
async function addKnown(env: TestBucket & { DATABASE_URL: string }, datasetId: number): Promise<void> {
  const nowhere = { DATA_DIR: "", DATASETS_DIR: "", MAX_UPLOAD_MB: 10 };
  const { images } = makeFiles({ ...nowhere, ...env });
  const { db, close } = await openDatabase({ DATABASE_URL: env.DATABASE_URL, DATA_DIR: "" });
  let n = 0;
  let rows: ReturnType<typeof newImageRow>[] = [];
  const insert = async () => {
    if (rows.length > 0) await db.insertInto("images").values(rows).execute();
    rows = [];
  };
  for await (const file of images.listFiles(FOLDER)) {
    if (n++ < NEW || "problem" in file) continue;
    const facts = { ...SIZE, bytes: file.bytes, modifiedMs: file.modifiedMs, hash: file.path };
    rows.push(newImageRow(datasetId, file.path, { ...facts, mime: "image/jpeg", orientation: 1 }));
    if (rows.length === ROWS_AT_ONCE) await insert();
  }
  await insert();
  await vacuum(db, "images");
  await close();
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

async function times(count: number, work: (n: number) => Promise<unknown>): Promise<number[]> {
  const all: number[] = [];
  for (let n = 0; n < count; n++) all.push((await timed(() => work(n))).ms);
  return all;
}

async function showThumbnails(client: Client, images: readonly { id: number }[]): Promise<void> {
  const left = [...images];
  const take = async () => {
    for (let image = left.pop(); image; image = left.pop())
      await (await client.fetch("GET", `image/${image.id}?width=250&thumbnail=true`)).arrayBuffer();
  };
  await Promise.all(Array.from({ length: THUMBNAILS_AT_ONCE }, take));
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
