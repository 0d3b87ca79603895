import { createHash } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { z } from "zod";
import { HttpError } from "../base/errors";
import { hasFileName, isLiveImage } from "../db/rows/images";
import type { Schema } from "../db/schema";
import { addImage } from "../features/images/addImage";
import { folderNameFor } from "../files/paths/datasetFolder";
import { ImageError } from "../files/paths/imageError";
import { newImagePath, shown } from "../files/paths/safePath";
import type { FoundImage } from "../outside/imageSearch";
import { makeOpenverse } from "../outside/openverse";
import { makeOutside, type Outside } from "../outside/outside";
import { OutsideError } from "../outside/outsideError";
import { readIntoFile } from "../outside/readResponse";
import type { Payload, TaskHelpers } from "../queue/task";
import { liveDataset } from "./common/liveDataset";
import type { TaskTools } from "./common/tools";

export const generatePayload = z.object({
  dataset_id: z.number(),
  keywords: z.array(z.string()),
  /** Maximum number of images per keyword. */
  limit: z.number(),
});

/** Number of concurrent downloads; the files are on many servers. */
const AT_ONCE = 4;
const MAX_FILE_BYTES = 100_000_000;
const SECONDS_PER_FILE = 60;
/** Number of failures in a row after which the task gives up. */
const MAX_FAILURES = 40;
/** Limit on pages of search results per keyword. */
const MAX_PAGES = 200;

type Tools = TaskHelpers & TaskTools;

/**
 * Searches images by keywords and adds them to a dataset, in a folder named after the keyword, each with its license,
 * creator and source as metadata. Adds the first `limit` images of each keyword that can be fetched. Images that exist
 * already count towards the limit, so a repeat (even after a kill) adds none twice. Logs images that cannot be fetched
 * and continues.
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
  tools.info(`Created ${added} new image(s); ${known} already existed, ${failed} could not be fetched.`);
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
      const results = await Promise.all(some.map((image) => addOrWarn(generation, keyword, image)));
      const good = results.filter(Boolean).length;
      found += good;
      failures = good > 0 ? 0 : failures + some.length;
      if (failures >= MAX_FAILURES)
        throw new Error(`${failures} images in a row could not be fetched; the lines above have the reasons.`);
      from += some.length;
      onShare(found / limit);
    }
    if (isLast || found >= limit || page === MAX_PAGES) break;
  }
  if (found < limit) info(`Only ${found} of ${limit} image(s) were found for "${shown(keyword)}".`);
}

/** Adds an image. If it cannot be fetched, logs the reason and returns false. */
async function addOrWarn(generation: Generation, keyword: string, image: FoundImage): Promise<boolean> {
  try {
    generation.count[await addFound(generation, keyword, image)]++;
    return true;
  } catch (error) {
    generation.signal.throwIfAborted();
    if (!affectsOnlyImage(error)) throw error;
    generation.count.failed++;
    generation.warn(`Could not add ${shown(image.url)}: ${error.message}`);
    return false;
  }
}

/** Returns true if other images may still succeed. A full disk or a lost database fails the task. */
const affectsOnlyImage = (error: unknown): error is Error =>
  error instanceof OutsideError || error instanceof ImageError || (error instanceof HttpError && error.status < 500);

async function addFound(generation: Generation, keyword: string, image: FoundImage): Promise<"added" | "known"> {
  const { db, files, dataset } = generation;
  const place = { folder: `${folderNameFor(keyword)}/`, name: fileNameFor(image) };
  if (await isKnown(generation, image, place)) return "known";
  const file = await files.images.temporary.make();
  try {
    await fetchFile(generation, image.url, file);
    const { mime, hash } = await files.images.probeUpload(file);
    if (await hasBytes(db, dataset.id, hash)) return "known";
    const path = newImagePath(place.folder, `${place.name}.${EXTENSIONS[mime] ?? "jpg"}`);
    const { id, status } = await addImage({ db, images: files.images, dataset }, path, file);
    await storeOrigin(db, id, image);
    return status === "added" ? "added" : "known";
  } finally {
    await files.images.temporary.remove(file);
  }
}

const EXTENSIONS: Record<string, string> = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/gif": "gif",
  "image/webp": "webp",
  "image/tiff": "tif",
  "image/bmp": "bmp",
  "image/avif": "avif",
};

/** Returns the image's id at its source, or a hash of it if the id is not a valid file name. */
function fileNameFor({ id }: FoundImage): string {
  return /^[\w-]{1,100}$/.test(id) ? id : createHash("sha256").update(id).digest("hex").slice(0, 32);
}

/**
 * Returns true if the dataset has an image of this name; an image in the trash counts only at the same path. Stores the
 * image's origin if an interrupted task has not.
 */
async function isKnown(
  { db, dataset }: Generation,
  image: FoundImage,
  { folder, name }: { folder: string; name: string },
): Promise<boolean> {
  const names = Object.values(EXTENSIONS).map((extension) => `${name}.${extension}`);
  const row = await db
    .selectFrom("images")
    .select(["id", sql<boolean>`metadata ? 'source_id'`.as("hasOrigin")])
    .where("dataset_id", "=", dataset.id)
    .where(({ or, and, eb }) =>
      or([
        and([hasFileName(names), isLiveImage()]),
        eb("path", "=", sql<string>`any(${names.map((each) => folder + each)}::text[])`),
      ]),
    )
    .orderBy("id")
    .executeTakeFirst();
  if (row && !row.hasOrigin) await storeOrigin(db, row.id, image);
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

async function storeOrigin(db: Kysely<Schema>, imageId: number, { id, origin }: FoundImage): Promise<void> {
  const metadata = JSON.stringify({ ...origin, source_id: id.slice(0, 200) });
  await db
    .updateTable("images")
    .set({ metadata: sql`${metadata}::jsonb || metadata` })
    .where("id", "=", imageId)
    .execute();
}

async function fetchFile({ outside, signal, maxBytes }: Generation, url: string, file: string): Promise<void> {
  const response = await outside.get(url, { accept: "image/*", signal, seconds: SECONDS_PER_FILE });
  if (response.status !== 200) {
    response.body.destroy();
    throw new OutsideError(`its server responded with status ${response.status}`);
  }
  await readIntoFile(response, file, maxBytes);
}
