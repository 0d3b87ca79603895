import { type Kysely, sql } from "kysely";
import { SerialQueue } from "../../../../shared/async/serialQueue";
import { KINDS_OF_IMAGE, RULES_VERSION } from "../../../../shared/quality/findInImage";
import type { Finding } from "../../../../shared/quality/finding";
import { type ImagePrint, PRINT_SIDE, printOf } from "../../../../shared/quality/images/imagePrint";
import { isShown } from "../../../db/rows/annotations";
import type { Schema } from "../../../db/schema";
import { transaction } from "../../../db/transaction";
import type { Files } from "../../../files/files";
import { ImageError } from "../../../files/paths/imageError";
import { deleteFindingsOfImages, insertFindings } from "../findingRows";
import type { UnparsedAnnotation, UnparsedImage } from "./checkQuestion";
import { withCheckThread } from "./checkThread";
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

/**
 * Number of pieces in work at once, each of which decodes one image at a time: decoding continues while others are
 * stored.
 */
const LANES = 3;
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
  const pieces = imagePieces(tools.db, dataset.id, RULES_VERSION);
  await withCheckThread(async (thread) => {
    const turns = new SerialQueue();
    const find: FindInImages = (images) => turns.add(() => thread.ask({ images }, { signal: tools.signal }));
    const lane = async () => {
      // Lanes share the pieces. If one fails, its loop ends them for the others.
      for await (const images of pieces) {
        const { unread, unchecked } = await checkPiece(tools, dataset, images, find, (path) => {
          if (++count.problems <= MOST_LOGGED) tools.warn(`${path} cannot be read.`);
        });
        count.read += unread;
        count.checked += unchecked;
        onImages(images.length);
      }
    };
    const ends = await Promise.allSettled(Array.from({ length: LANES }, lane));
    for (const end of ends) if (end.status === "rejected") throw end.reason;
  });
  return count;
}

type FindInImages = (images: UnparsedImage[]) => Promise<Finding[]>;

/** Reads and checks some images, and stores the outcome. Returns the numbers of images that were read and checked. */
async function checkPiece(
  tools: CheckTools,
  dataset: CheckedDataset,
  images: readonly StoredImage[],
  find: FindInImages,
  onProblem: (path: string) => void,
): Promise<{ unread: number; unchecked: number }> {
  tools.signal.throwIfAborted();
  const unread = images.filter(({ isRead }) => !isRead);
  const unchecked = images.filter(({ isChecked }) => !isChecked);
  if (unread.length + unchecked.length > 0) {
    const [reads, found] = await Promise.all([
      readAll(tools, dataset, unread),
      checkAnnotations(tools.db, find, unchecked),
    ]);
    for (const image of unread) if (reads.get(image)?.problem) onProblem(image.path);
    await store(tools.db, dataset, images, { reads, found, unchecked });
  }
  return { unread: unread.length, unchecked: unchecked.length };
}

async function readAll({ files, signal }: CheckTools, { folder }: CheckedDataset, images: readonly StoredImage[]) {
  const reads = new Map<StoredImage, Read>();
  for (const image of images) {
    signal.throwIfAborted();
    reads.set(image, await readPrint(files, folder, image));
  }
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

async function checkAnnotations(
  db: Kysely<Schema>,
  find: FindInImages,
  images: readonly StoredImage[],
): Promise<Finding[]> {
  if (images.length === 0) return [];
  const { rows } = await sql<AnnotationLine>`
    select a.id, a.image_id, a.category_id, a.shape::text as shape, a.bbox, a.area, a.isbbox, a.iscrowd, a.keypoints,
      a.revision
    from annotations a where a.image_id = any(${images.map(({ id }) => id)}::integer[]) and ${isShown}
    order by a.image_id, a.id`.execute(db);
  const byImage = new Map(
    images.map(({ id, width, height }) => [id, { id, width, height, annotations: [] as UnparsedAnnotation[] }]),
  );
  for (const { image_id, revision: _, ...annotation } of rows) byImage.get(image_id)?.annotations.push(annotation);
  const findings = await find([...byImage.values()]);
  const revisions = new Map(rows.map(({ id, revision }) => [id, revision]));
  return findings.map((finding) => ({ ...finding, revision: revisions.get(finding.annotation!)! }));
}

/** Stores what was read and found, and that these images need not be read again. */
async function store(
  db: Kysely<Schema>,
  dataset: CheckedDataset,
  images: readonly StoredImage[],
  { reads, found, unchecked }: { reads: Map<StoredImage, Read>; found: Finding[]; unchecked: readonly StoredImage[] },
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
    await insertFindings(trx, dataset.id, found);
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
