import { type Kysely, sql } from "kysely";
import { KINDS_OF_IMAGE, RULES_VERSION } from "../../../../shared/quality/findInImage";
import type { Finding } from "../../../../shared/quality/finding";
import { type ImagePrint, PRINT_SIDE, printOf } from "../../../../shared/quality/images/imagePrint";
import { isShown } from "../../../db/rows/annotations";
import type { Schema } from "../../../db/schema";
import { transaction } from "../../../db/transaction";
import type { Files } from "../../../files/files";
import { ImageError } from "../../../files/paths/imageError";
import { deleteFindingsOfImages, insertFindings } from "../findingRows";
import type { UnparsedAnnotation } from "./checkQuestion";
import { type CheckThread, withCheckThread } from "./checkThread";
import { imagePieces, type StoredImage } from "./imagePages";

export interface CheckTools {
  db: Kysely<Schema>;
  files: Files;
  signal: AbortSignal;
  warn: (text: string) => void;
}

export interface CheckedDataset {
  id: number;
  folder: string;
}

/** Number of images decoded at once; leaves a place to users. */
const LANES = 2;
/** Number of images whose problem is written to the log. */
const MOST_LOGGED = 100;

type Read = (ImagePrint & { problem: null }) | { hash: null; contrast: null; problem: string };
type AnnotationLine = UnparsedAnnotation & { image_id: number; revision: number };

/**
 * Reads the images and annotations that have changed since the last check, and stores what is found in each image by
 * itself. A repeat continues where the last run ended. `onImages` is called with the number of images after each piece.
 */
export async function checkImages(
  tools: CheckTools,
  dataset: CheckedDataset,
  onImages: (count: number) => void,
): Promise<{ read: number; checked: number }> {
  const count = { read: 0, checked: 0, problems: 0 };
  await withCheckThread(async (thread) => {
    for await (const images of imagePieces(tools.db, dataset.id, RULES_VERSION)) {
      tools.signal.throwIfAborted();
      const unread = images.filter(({ isRead }) => !isRead);
      const unchecked = images.filter(({ isChecked }) => !isChecked);
      const [reads, found] = await Promise.all([
        readAll(tools, dataset, unread),
        checkAnnotations(tools, thread, unchecked),
      ]);
      for (const { path } of unread.filter((image) => reads.get(image)?.problem))
        if (++count.problems <= MOST_LOGGED) tools.warn(`${path} cannot be read.`);
      if (unread.length + unchecked.length > 0) await store(tools.db, dataset, images, { reads, found, unchecked });
      count.read += unread.length;
      count.checked += unchecked.length;
      onImages(images.length);
    }
  });
  return count;
}

async function readAll({ files, signal }: CheckTools, { folder }: CheckedDataset, images: readonly StoredImage[]) {
  const reads = new Map<StoredImage, Read>();
  const left = [...images];
  const lane = async () => {
    for (let image = left.shift(); image; image = left.shift()) {
      signal.throwIfAborted();
      reads.set(image, await readPrint(files, folder, image));
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return reads;
}

async function readPrint(files: Files, folder: string, image: StoredImage): Promise<Read> {
  try {
    return { ...printOf(await files.images.grey({ ...image, folder }, PRINT_SIDE)), problem: null };
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    return { hash: null, contrast: null, problem: error.message };
  }
}

interface Found {
  findings: Finding[];
  /** Revisions of the annotations that were checked. */
  revisions: Map<number, number>;
}

async function checkAnnotations(
  { db, signal }: CheckTools,
  thread: CheckThread,
  images: readonly StoredImage[],
): Promise<Found> {
  if (images.length === 0) return { findings: [], revisions: new Map() };
  const { rows } = await sql<AnnotationLine>`
    select a.id, a.image_id, a.category_id, a.shape::text as shape, a.bbox, a.area, a.isbbox, a.iscrowd, a.keypoints,
      a.revision
    from annotations a where a.image_id = any(${images.map(({ id }) => id)}::integer[]) and ${isShown}
    order by a.image_id, a.id`.execute(db);
  const byImage = new Map(
    images.map(({ id, width, height }) => [id, { id, width, height, annotations: [] as UnparsedAnnotation[] }]),
  );
  for (const { image_id, revision: _, ...annotation } of rows) byImage.get(image_id)?.annotations.push(annotation);
  const findings = await thread.ask({ images: [...byImage.values()] }, { signal });
  return { findings, revisions: new Map(rows.map(({ id, revision }) => [id, revision])) };
}

/** Stores what was read and found, and that these images need not be read again. */
async function store(
  db: Kysely<Schema>,
  dataset: CheckedDataset,
  images: readonly StoredImage[],
  { reads, found, unchecked }: { reads: Map<StoredImage, Read>; found: Found; unchecked: readonly StoredImage[] },
): Promise<void> {
  const rows = images.map((image) => {
    const read = reads.get(image);
    const { hash: print = null, contrast = null, problem = null } = read ?? {};
    return {
      image_id: image.id,
      revision: image.revision,
      hash: image.hash,
      is_read: !!read,
      print,
      contrast,
      problem,
    };
  });
  const ids = unchecked.map(({ id }) => id);
  await transaction(db, async (trx) => {
    await deleteFindingsOfImages(trx, KINDS_OF_IMAGE, ids);
    await insertFindings(trx, dataset.id, found.findings, found.revisions);
    await sql`
      insert into quality_images (image_id, dataset_id, revision, rules, hash, print, contrast, problem)
      select x.image_id, ${dataset.id}::integer, x.revision, ${RULES_VERSION}::integer, x.hash, x.print, x.contrast,
        x.problem
      from json_to_recordset(${JSON.stringify(rows)}::json) as x(image_id integer, revision integer, hash text,
        is_read boolean, print text, contrast double precision, problem text)
      on conflict (image_id) do update set revision = excluded.revision, rules = excluded.rules, hash = excluded.hash`.execute(
      trx,
    );
    await sql`
      update quality_images q set print = x.print, contrast = x.contrast, problem = x.problem
      from json_to_recordset(${JSON.stringify(rows.filter((row) => row.is_read))}::json) as x(image_id integer,
        print text, contrast double precision, problem text)
      where q.image_id = x.image_id`.execute(trx);
  });
}
