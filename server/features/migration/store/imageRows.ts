import type { Kysely } from "kysely";
import { isTurn, turnSize } from "../../../../shared/coco/turn";
import type { Size } from "../../../../shared/entities/image";
import type { Json } from "../../../../shared/entities/scalars";
import type { NewImageRow, Schema } from "../../../db/schema";
import type { ImageFacts } from "../../../files/decode/probe";
import { newImageRow } from "../../images/newImageRow";
import type { Entry } from "../dump/batches";
import { dateOf, flagOf, keyOf, listOf } from "../dump/values";
import { millisecondsOf, readEvents } from "../map/events";
import { extraOf, metadataOf, type Note } from "../map/fields";
import type { MigratedDataset, Migration } from "./context";
import { idsFor, rememberRows } from "./ids";
import { storeSessions } from "./sessions";

/** An image that is ready to be stored. */
export interface Prepared extends Entry {
  dataset: MigratedDataset;
  label: string;
  path: string;
  old: Size | undefined;
  facts: ImageFacts;
  note: Note;
}

/** Notes an orientation, and a size that differs from that of the file. */
export function noteSize({ options }: Migration, { old, facts, note }: Prepared): void {
  const { orientation, width, height } = facts;
  if (isTurn(orientation))
    note(
      `has the EXIF orientation ${orientation}: ${isUpright(options.upright, old, facts) ? "its annotations were kept as they are" : "its annotations were turned upright"}`,
    );
  if (!old) return;
  const sizes = [facts, ...(isTurn(orientation) ? [turnSize(orientation, facts)] : [])];
  if (!sizes.some((size) => size.width === old.width && size.height === old.height))
    note(
      `has a file of ${width} x ${height} pixels instead of ${old.width} x ${old.height}: its annotations may be in the wrong place`,
    );
}

/**
 * True if what was drawn follows the orientation: if the user says so, or the old size is that of the upright image.
 */
function isUpright(byChoice: boolean, old: Size | undefined, { orientation, ...upright }: ImageFacts): boolean {
  if (byChoice || !isTurn(orientation) || !old) return byChoice;
  const stored = turnSize(orientation, upright);
  const fits = (size: Size) => size.width === old.width && size.height === old.height;
  return fits(upright) && !fits(stored);
}

/** Remembers what a dry run would store. */
export function imagine({ imagined, options }: Migration, prepared: readonly Prepared[]): void {
  for (const { key, old, facts } of prepared) {
    const { width, height, orientation } = facts;
    imagined.set(key, { id: -1, width, height, orientation, old, isUpright: isUpright(options.upright, old, facts) });
  }
}

/** Keys of images that COCO files have too, and that exports write again. */
const EXTRA_KEYS = ["license", "coco_url", "flickr_url", "date_captured"];

/** Stores the rows of images, and their sessions of work. */
export async function insertAll(
  trx: Kysely<Schema>,
  migration: Migration,
  prepared: readonly Prepared[],
): Promise<void> {
  const { source, users, options } = migration;
  const ids = await idsFor(
    trx,
    source,
    "image_model",
    prepared.map(({ key }) => key),
  );
  const worked = prepared.map(({ doc, note }) => {
    const { events, unreadable } = readEvents(doc);
    if (unreadable > 0) note("has sessions of work without a time, which were left out");
    return events;
  });
  const rows = prepared.map((each, i) => ({
    id: ids[i]!,
    ...rowOf(migration, each, millisecondsOf(each.doc, worked[i]!)),
  }));
  await trx.insertInto("images").values(rows).execute();
  const remembered = prepared.map(({ key, old, facts }, i) => {
    const upright = isUpright(options.upright, old, facts);
    return { key, id: ids[i]!, details: { ...(old && { width: old.width, height: old.height }), upright } };
  });
  await rememberRows(trx, source, "image_model", remembered);
  await storeSessions(
    trx,
    source,
    users,
    prepared.map(({ key }, i) => ({
      collection: "image_model",
      key,
      imageId: ids[i]!,
      annotationUuid: null,
      events: worked[i]!,
    })),
  );
}

function rowOf(migration: Migration, { doc, dataset, path, facts, note }: Prepared, milliseconds: number): NewImageRow {
  const keys = [...new Set(listOf(doc.category_ids).flatMap((item) => keyOf(item) ?? []))];
  const labels = keys.flatMap((key) => migration.categories.get(key)?.id ?? []);
  if (labels.length < keys.length) note("is labelled with categories that are gone from the old database");
  const extra: { [key: string]: Json } = extraOf(doc, EXTRA_KEYS);
  return {
    ...newImageRow(dataset.id, path, facts),
    metadata: JSON.stringify(metadataOf(doc.metadata, note)),
    labels: [...new Set(labels)].sort((a, b) => a - b),
    extra: JSON.stringify(extra),
    milliseconds,
    deleted_at: flagOf(doc.deleted) ? (dateOf(doc.deleted_date) ?? migration.now) : null,
  };
}
