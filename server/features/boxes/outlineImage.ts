import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import { boxInside, fillsBox, requestOfBox } from "../../../model/dextr/boxes";
import { SIMPLIFY } from "../../../shared/constants";
import { modification } from "../../../shared/edits/make";
import type { Rings } from "../../../shared/entities/shape";
import { simplifyRings } from "../../../shared/geometry/simplify";
import type { CurrentUser } from "../../base/permissions";
import type { AnnotationRow, ImageRow, Schema } from "../../db/schema";
import type { Files } from "../../files/files";
import type { Live } from "../../live/live";
import type { DextrCall } from "../../onnx/dextr";
import { annotationOf } from "../annotations/rows/annotationRow";
import { lockImages } from "../bulk/bulkWrite";
import { storeForCall } from "../edits/storeForCall";
import { type BoxChange, markImported, recordBoxes } from "./boxesBefore";
import { partReader } from "./partReader";
import { type BoxSelection, boxesOfImage } from "./selectBoxes";

interface OutlineTools {
  db: Kysely<Schema>;
  files: Files;
  live: Live;
  /** Runs the network for one box. */
  outline: (call: Pick<DextrCall, "job" | "read">) => Promise<Rings>;
}

/** An image in the folder of its dataset. */
export type ImageInFolder = ImageRow & { folder: string };

/** An outline found for a box, and the revision of the annotation that it was found for. */
interface Found {
  id: number;
  revision: number;
  rings: Rings;
}

/**
 * Replaces the boxes of an image with outlines, as edits of the user. Boxes stay if no outline fills them, if they are
 * too small, or if they are changed meanwhile. Returns the number of outlines. Throws ImageError if the image cannot be
 * read, and the errors of `outline`.
 */
export async function outlineImage(
  tools: OutlineTools,
  user: CurrentUser,
  change: BoxChange,
  selection: BoxSelection,
  image: ImageInFolder,
): Promise<number> {
  const rows = await readBoxes(tools.db, await boxesOfImage(tools.db, selection, image.id));
  const found = await findOutlines(tools, image, rows);
  return found.length === 0 ? 0 : store(tools, user, change, image.id, found);
}

async function readBoxes(db: Kysely<Schema>, ids: readonly number[]): Promise<AnnotationRow[]> {
  if (ids.length === 0) return [];
  return db.selectFrom("annotations").selectAll().where("id", "in", ids).orderBy("id").execute();
}

async function findOutlines(tools: OutlineTools, image: ImageInFolder, rows: readonly AnnotationRow[]) {
  const { width, height } = image;
  const read = partReader(tools.files, image);
  const found: Found[] = [];
  for (const { id, revision, bbox } of rows) {
    const box = boxInside(bbox, image);
    if (!box) continue;
    const job = { imageKey: `boxes of ${image.id}`, width, height, request: requestOfBox(box) };
    const rings = await tools.outline({ job, read });
    if (!fillsBox(rings, box)) continue;
    const simple = simplifyRings(rings, SIMPLIFY.default);
    if (simple.length > 0) found.push({ id, revision, rings: simple });
  }
  return found;
}

/** Stores the outlines of the boxes that have not been changed meanwhile. Returns the number of stored outlines. */
function store(
  { db, live }: OutlineTools,
  user: CurrentUser,
  change: BoxChange,
  imageId: number,
  found: readonly Found[],
): Promise<number> {
  const ringsById = new Map(found.map((each) => [each.id, each]));
  return storeForCall({ db, live }, user, async (trx, storeEdits) => {
    await lockImages(trx, [imageId]);
    const now = await readBoxes(trx, [...ringsById.keys()]);
    const rows = now.filter(({ id, revision, deleted_at }) => !deleted_at && revision === ringsById.get(id)?.revision);
    const edits = rows.map((row) => {
      const edit = modification(randomUUID(), annotationOf(row), {
        rings: ringsById.get(row.id)!.rings,
        isbbox: false,
      });
      if (!edit) throw new Error("The annotation is not a box.");
      return edit;
    });
    if (edits.length === 0) return 0;
    const answers = await storeEdits(edits);
    const boxes = rows.map((row, i) => ({
      annotation_id: row.id,
      shape: row.shape,
      area: row.area,
      bbox: row.bbox,
      revision: answers[i]?.revision ?? row.revision + 1,
      as_imported: row.import_id !== null && row.import_revision === row.revision,
    }));
    await recordBoxes(trx, change, imageId, boxes);
    await markImported(trx, boxes);
    return edits.length;
  });
}
