import type { Edit } from "../../../shared/edits/edit";
import { restoreMove, shortenMove } from "../../../shared/edits/moved";
import type { JournalRow } from "./journalRow";
import { readNumbers, writeNumbers } from "./packedNumbers";

/** Minimum number of rows that are stored in packs. */
export const MANY_ROWS = 100;
/** Largest number of rows in a pack: a batch for the server, so that packs are usually removed as a whole. */
const PACK_SIZE = 500;
/** Distance between the `seq` of rows in a pack, exact in floating point. */
const STEP = 2 ** -20;

/** A row without its `seq`, which follows from its place in the pack. */
type PackedRow = Omit<JournalRow, "seq">;

/**
 * Queued rows of one image that are stored as one record, since the browser takes a tenth of a millisecond for each
 * record. A pack has the `seq` and the uuid of its first row. A row leaves a pack when its state changes.
 */
export interface Pack {
  seq: number;
  uuid: string;
  state: "packed";
  image_id: number;
  /** Number of rows. */
  size: number;
  /**
   * The rows as JSON, without shared fields and coordinates, and with moves in their short form, because the browser
   * copies text and numbers ten times faster than objects. Packs of earlier versions contain the rows themselves.
   */
  rows: string | PackedRow[];
  /** Fields that all rows have in common. */
  shared?: Partial<PackedRow>;
  numbers?: Float64Array<ArrayBuffer>;
}

export type StoredRow = JournalRow | Pack;

const SHARED = ["client", "image_id", "saw", "state", "place"] as const satisfies (keyof PackedRow)[];

/** Returns rows as they are to be stored: in packs if they are many queued rows of one image. */
export function packRows(rows: readonly PackedRow[]): Omit<StoredRow, "seq">[] {
  const [first] = rows;
  const areAlike = rows.every(({ state, image_id }) => state === "queued" && image_id === first?.image_id);
  if (!first || rows.length < MANY_ROWS || !areAlike) return [...rows];
  const packs: Omit<Pack, "seq">[] = [];
  for (let from = 0; from < rows.length; from += PACK_SIZE) packs.push(packOf(rows.slice(from, from + PACK_SIZE)));
  return packs;
}

/** Returns the rows of a record, in order. The rows of a pack have fractions as `seq`. */
export function unpackRows(stored: StoredRow): JournalRow[] {
  if (stored.state !== "packed") return [stored];
  return rowsOf(stored).map((row, i) => ({ ...row, seq: stored.seq + i * STEP }));
}

/** Returns the `seq` of the pack that contains a packed row. */
export const packSeqOf = (seq: number): number => Math.floor(seq);

function packOf(rows: readonly PackedRow[]): Omit<Pack, "seq"> {
  const first = rows[0]!;
  const isShared = (key: keyof PackedRow) => rows.every((row) => row[key] === first[key]);
  const keys = SHARED.filter(isShared);
  const short = rows.map((row) => {
    const own: Partial<PackedRow> = { ...row, edit: shortenMove(row.edit) as Edit };
    for (const key of keys) delete own[key];
    return own;
  });
  const { values, numbers } = writeNumbers(short);
  return {
    uuid: first.uuid,
    state: "packed",
    image_id: first.image_id,
    size: rows.length,
    shared: Object.fromEntries(keys.map((key) => [key, first[key]])),
    rows: JSON.stringify(values),
    numbers,
  };
}

function rowsOf({ rows, shared, numbers }: Pack): PackedRow[] {
  if (typeof rows !== "string") return rows;
  const own = readNumbers(JSON.parse(rows) as Partial<PackedRow>[], numbers ?? new Float64Array());
  return own.map((row) => ({ ...shared, ...row, edit: restoreMove(row.edit) }) as PackedRow);
}
