import type { Ring, Rings } from "../../../shared/entities/shape";
import type { JournalRow } from "./journalRow";

/** The lengths of the rings of each polygon, in place of the rings. */
interface Lengths {
  lengths: number[][];
}

/** A row or part of one. `writeNumbers` replaces its rings with their lengths. */
type Row = Partial<Omit<JournalRow, "seq">>;

/**
 * Takes the coordinates out of rows. Returns the rows with the rings' lengths in place of the rings, and the
 * coordinates of all rings.
 */
export function writeNumbers(rows: readonly Row[]): { values: Row[]; numbers: Float64Array<ArrayBuffer> } {
  const rings: Ring[] = [];
  const values = rows.map((row) => withRings(row, (value) => (isRings(value) ? lengthsOf(value, rings) : value)));
  const numbers = new Float64Array(rings.reduce((sum, ring) => sum + ring.length, 0));
  let at = 0;
  for (const ring of rings) for (let i = 0; i < ring.length; i++) numbers[at++] = ring[i]!;
  return { values, numbers };
}

/** Restores the rows that `writeNumbers` was given. */
export function readNumbers(values: readonly Row[], numbers: Float64Array): Row[] {
  let at = 0;
  const nextRing = (length: number) => {
    const ring: Ring = [];
    for (const end = at + length; at < end; at++) ring.push(numbers[at]!);
    return ring;
  };
  return values.map((row) =>
    withRings(row, (value) => (isLengths(value) ? value.lengths.map((polygon) => polygon.map(nextRing)) : value)),
  );
}

/** Returns a row with `change` applied to the rings before and after its edit, and to the rings in `rest`. */
function withRings(row: Row, change: (value: unknown) => unknown): Row {
  const changed = <Fields extends object>(fields: Fields): Fields =>
    Object.hasOwn(fields, "rings") ? { ...fields, rings: change(Reflect.get(fields, "rings")) } : fields;
  const { edit, rest } = row;
  return {
    ...row,
    ...(edit && { edit: { ...edit, before: changed(edit.before), after: changed(edit.after) } as typeof edit }),
    ...(rest && { rest: changed(rest) }),
  };
}

function lengthsOf(rings: Rings, taken: Ring[]): Lengths {
  const lengths = rings.map((polygon) =>
    polygon.map((ring) => {
      taken.push(ring);
      return ring.length;
    }),
  );
  return { lengths };
}

const isRings = (value: unknown): value is Rings => Array.isArray(value);

const isLengths = (value: unknown): value is Lengths => Object.hasOwn(Object(value), "lengths");
