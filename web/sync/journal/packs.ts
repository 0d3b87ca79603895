import type { Edit } from "../../../shared/edits/edit";
import { restoreMove, shortenMove } from "../../../shared/edits/moves/moved";
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

/**
 * Yields rows as they are to be stored: in packs if there are many queued ones of one image. Making a pack takes
 * several milliseconds.
 */
export function* packRows(rows: readonly PackedRow[]): Generator<Omit<StoredRow, "seq">> {
  const [first] = rows;
  const areAlike = rows.every(({ state, image_id }) => state === "queued" && image_id === first?.image_id);
  if (!first || rows.length < MANY_ROWS || !areAlike) yield* rows;
  else for (let from = 0; from < rows.length; from += PACK_SIZE) yield packOf(rows.slice(from, from + PACK_SIZE));
}

/** Returns the rows of a record, in order. The rows of a pack have fractions as `seq`. */
export function unpackRows(stored: StoredRow): JournalRow[] {
  return stored.state === "packed" ? numberRows(stored.seq, rowsOf(stored)) : [stored];
}

/** Returns the rows of the pack `seq`, each with its own `seq`. */
export const numberRows = (seq: number, rows: readonly PackedRow[]): JournalRow[] =>
  rows.map((row, i) => ({ ...row, seq: seqInPack(seq, i) }));

const seqInPack = (seq: number, index: number): number => seq + index * STEP;

/** Returns the `seq` of the pack that contains a packed row. */
export const packSeqOf = (seq: number): number => Math.floor(seq);

/** Returns the `seq` of the last row of a pack. */
export const lastSeqOf = ({ seq, size }: Pick<Pack, "seq" | "size">): number => seqInPack(seq, size - 1);

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
