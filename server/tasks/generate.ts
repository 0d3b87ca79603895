import { createHash } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { z } from "zod";
import { HttpError } from "../base/errors";
import type { Schema } from "../db/schema";
import { addImage } from "../features/images/addImage";
import { folderNameFor } from "../files/paths/datasetFolder";
import { ImageError } from "../files/paths/imageError";
import { newImagePath, shown } from "../files/paths/safePath";
import type { FoundImage } from "../outside/imageSearch";
import { makeOpenverse } from "../outside/openverse";
import { makeOutside, type Outside, OutsideError } from "../outside/outside";
import { readIntoFile } from "../outside/readResponse";
import type { Payload, TaskHelpers } from "../queue/task";
import { liveDataset } from "./liveDataset";
import type { TaskTools } from "./tools";

export const generatePayload = z.object({
  dataset_id: z.number(),
  keywords: z.array(z.string()),
  /** Images for each keyword. */
  limit: z.number(),
});

/** Files fetched at a time: they lie on many servers. */
const AT_ONCE = 4;
const MAX_FILE_BYTES = 100_000_000;
const SECONDS_A_FILE = 60;
/** So many that cannot be had, one after another, are no accident. */
const MAX_FAILURES = 40;
/** Of answers for one keyword, whatever is in them. */
const MAX_PAGES = 200;

type Tools = TaskHelpers & TaskTools;

/**
 * Searches images by keywords and adds them to a dataset, in a folder named after the keyword, each with its license,
 * creator and source as metadata. Of each keyword the first `limit` that can be had, counting those that are there
 * already: a repeat, also after a kill, makes no second copy. What cannot be fetched is told one by one and stops
 * nothing.
 */
export async function generate(payload: Payload, tools: Tools) {
  const { dataset_id, keywords, limit } = generatePayload.parse(payload);
  const { GENERATE_PROVIDER_URL: own, MAX_UPLOAD_MB } = tools.env;
  const outside = makeOutside(own && new URL(own).origin);
  const generation: Generation = {
    ...tools,
    outside,
    provider: makeOpenverse(outside, own),
    dataset: await liveDataset(tools.db, dataset_id),
    maxBytes: Math.min(MAX_FILE_BYTES, MAX_UPLOAD_MB * 1_048_576),
    count: { added: 0, known: 0, failed: 0 },
  };
  for (const [i, keyword] of keywords.entries()) {
    const onShare = (share: number) => tools.progress(Math.min(99, (100 * (i + share)) / keywords.length));
    await generateFor(generation, keyword, limit, onShare);
  }
  const { added, known, failed } = generation.count;
  tools.info(`Created ${added} new image(s); ${known} were there already, ${failed} could not be had.`);
  return { ...generation.count };
}

interface Generation extends Tools {
  outside: Outside;
  provider: ReturnType<typeof makeOpenverse>;
  dataset: { id: number; folder: string };
  maxBytes: number;
  count: { added: number; known: number; failed: number };
}

async function generateFor(
  generation: Generation,
  keyword: string,
  limit: number,
  onShare: (share: number) => void,
): Promise<void> {
  const { provider, signal, info } = generation;
  info(`Searching ${provider.name} for "${shown(keyword)}"`);
  let found = 0;
  let failures = 0;
  for (let page = 1; ; page++) {
    const { images, isLast } = await provider.search(keyword, page, { signal, log: info });
    for (let from = 0; from < images.length && found < limit; ) {
      signal.throwIfAborted();
      const some = images.slice(from, from + Math.min(AT_ONCE, limit - found));
      const had = await Promise.all(some.map((image) => takeOrTell(generation, keyword, image)));
      const good = had.filter(Boolean).length;
      found += good;
      failures = good > 0 ? 0 : failures + some.length;
      if (failures >= MAX_FAILURES)
        throw new Error(`${failures} images in a row could not be had; their lines say why.`);
      from += some.length;
      onShare(found / limit);
    }
    if (isLast || found >= limit || page === MAX_PAGES) break;
  }
  if (found < limit) info(`No more than ${found} of ${limit} were found for "${shown(keyword)}".`);
}

/** False where the image cannot be had. */
async function takeOrTell(generation: Generation, keyword: string, image: FoundImage): Promise<boolean> {
  try {
    generation.count[await take(generation, keyword, image)]++;
    return true;
  } catch (error) {
    generation.signal.throwIfAborted();
    if (!isFaultOfImage(error)) throw error;
    generation.count.failed++;
    generation.warn(`Could not add ${shown(image.url)}: ${error.message}`);
    return false;
  }
}

/** A full disk or a lost database stop the task. */
const isFaultOfImage = (error: unknown): error is Error =>
  error instanceof OutsideError || error instanceof ImageError || (error instanceof HttpError && error.status < 500);

async function take(generation: Generation, keyword: string, image: FoundImage): Promise<"added" | "known"> {
  const { db, files, dataset } = generation;
  const place = { folder: `${folderNameFor(keyword)}/`, name: fileNameFor(image) };
  if (await isKnown(generation, image, place)) return "known";
  const file = await files.images.temporary.make();
  try {
    await fetchFile(generation, image.url, file);
    const { mime, hash } = await files.images.probeUpload(file);
    if (await hasBytes(db, dataset.id, hash)) return "known";
    const path = newImagePath(place.folder, `${place.name}.${ENDINGS[mime] ?? "jpg"}`);
    const { id, status } = await addImage({ db, images: files.images, dataset }, path, file);
    await tellOrigin(db, id, image);
    return status === "added" ? "added" : "known";
  } finally {
    await files.images.temporary.remove(file);
  }
}

const ENDINGS: Record<string, string> = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/gif": "gif",
  "image/webp": "webp",
  "image/tiff": "tif",
  "image/bmp": "bmp",
  "image/avif": "avif",
};

/** The image's id at its source, as far as that can be a file's name. */
function fileNameFor({ id }: FoundImage): string {
  return /^[\w-]{1,100}$/.test(id) ? id : createHash("sha256").update(id).digest("hex").slice(0, 32);
}

/**
 * Returns true if the dataset has an image of this name, in the trash only at this very place. One that was cut off
 * before its origin was told gets it.
 */
async function isKnown(
  { db, dataset }: Generation,
  image: FoundImage,
  { folder, name }: { folder: string; name: string },
): Promise<boolean> {
  const names = Object.values(ENDINGS).map((ending) => `${name}.${ending}`);
  const row = await db
    .selectFrom("images")
    .select(["id", sql<boolean>`metadata ? 'source_id'`.as("isTold")])
    .where("dataset_id", "=", dataset.id)
    .where(({ or, and, eb }) =>
      or([
        and([eb("file_name", "=", sql<string>`any(${names}::text[])`), eb("deleted_at", "is", null)]),
        eb("path", "=", sql<string>`any(${names.map((each) => folder + each)}::text[])`),
      ]),
    )
    .orderBy("id")
    .executeTakeFirst();
  if (row && !row.isTold) await tellOrigin(db, row.id, image);
  return row !== undefined;
}

async function hasBytes(db: Kysely<Schema>, datasetId: number, hash: string): Promise<boolean> {
  const row = await db
    .selectFrom("images")
    .select("id")
    .where("dataset_id", "=", datasetId)
    .where("hash", "=", hash)
    .executeTakeFirst();
  return row !== undefined;
}

async function tellOrigin(db: Kysely<Schema>, imageId: number, { id, origin }: FoundImage): Promise<void> {
  const told = JSON.stringify({ ...origin, source_id: id.slice(0, 200) });
  await db
    .updateTable("images")
    .set({ metadata: sql`${told}::jsonb || metadata` })
    .where("id", "=", imageId)
    .execute();
}

async function fetchFile({ outside, signal, maxBytes }: Generation, url: string, file: string): Promise<void> {
  const answer = await outside.get(url, { accept: "image/*", signal, seconds: SECONDS_A_FILE });
  if (answer.status !== 200) {
    answer.body.destroy();
    throw new OutsideError(`its server answers with status ${answer.status}`);
  }
  await readIntoFile(answer, file, maxBytes);
}
