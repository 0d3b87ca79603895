import type { JournalRow } from "./journalRow";

/** Number of rows from which they are stored in packs. */
const MANY_ROWS = 100;
/** Largest number of rows in a pack: a batch for the server, so that packs are usually removed as a whole. */
const PACK_SIZE = 500;
/** Distance between the `seq` of rows in a pack, exact in floating point. */
const STEP = 2 ** -20;

/**
 * Queued rows of one image that are stored as one record, since the browser takes a tenth of a millisecond for each
 * record. It has the `seq` and the uuid of its first row. A row leaves a pack when its state changes.
 */
export interface Pack {
  seq: number;
  uuid: string;
  state: "packed";
  image_id: number;
  /** Number of rows. */
  size: number;
  rows: Omit<JournalRow, "seq">[];
}

export type StoredRow = JournalRow | Pack;

/** Returns rows as they are to be stored: in packs if there are many queued ones of one image. */
export function packRows(rows: readonly Omit<JournalRow, "seq">[]): Omit<StoredRow, "seq">[] {
  const [first] = rows;
  const areAlike = rows.every(({ state, image_id }) => state === "queued" && image_id === first?.image_id);
  if (!first || rows.length < MANY_ROWS || !areAlike) return [...rows];
  const packs: Omit<Pack, "seq">[] = [];
  for (let from = 0; from < rows.length; from += PACK_SIZE) {
    const packed = rows.slice(from, from + PACK_SIZE);
    const { uuid = "", image_id = 0 } = packed[0] ?? {};
    packs.push({ uuid, state: "packed", image_id, size: packed.length, rows: packed });
  }
  return packs;
}

/** Returns the rows of a record, in order. Those of a pack have fractions as `seq`. */
export function unpackRows(stored: StoredRow): JournalRow[] {
  if (stored.state !== "packed") return [stored];
  return stored.rows.map((row, i) => ({ ...row, seq: stored.seq + i * STEP }));
}

/** Returns the `seq` of the record that a row is in if it is packed. */
export const packSeqOf = (seq: number): number => Math.floor(seq);
