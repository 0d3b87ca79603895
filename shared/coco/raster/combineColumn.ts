import type { Rings } from "../../entities/shape";
import { ColumnUnion, subtract } from "./columnUnion";
import type { Edges } from "./edges";
import type { RowSorter } from "./rowSorter";

/**
 * Replaces the rows at which active edges, ring after ring, toggle a column with those at which the mask changes.
 * Returns their number.
 */
type Combine = (active: Int32Array, rows: Int32Array, count: number) => number;

/**
 * Returns the function that combines the rings of one column into the union of all polygons, each without its holes.
 */
export function combineColumn(rings: Rings, edges: Edges, sorter: RowSorter): Combine {
  const polygonOf = rings.flatMap((polygon, number) => polygon.map(() => number));
  const isHole = rings.flatMap((polygon) => polygon.map((_, i) => i > 0));
  const { count: capacity, ring: ringOf } = edges;
  const drawn = new ColumnUnion(capacity, sorter);
  const holes = new ColumnUnion(capacity, sorter);
  const holeRows = new Int32Array(capacity);
  const rest = new Int32Array(capacity);

  return (active, rows, count) => {
    for (let k = 0; k < count; ) {
      const polygon = polygonOf[ringOf[active[k]!]!]!;
      let outerFrom = 0;
      let outerTo = 0;
      do {
        const from = k;
        const ring = ringOf[active[k]!]!;
        do k++;
        while (k < count && ringOf[active[k]!] === ring);
        const to = sorter.sortClosed(rows, from, k);
        if (isHole[ring]) holes.add(rows, from, to);
        else [outerFrom, outerTo] = [from, to];
      } while (k < count && polygonOf[ringOf[active[k]!]!] === polygon);
      if (holes.isEmpty) drawn.add(rows, outerFrom, outerTo);
      else drawn.add(rest, 0, subtract(rows, outerFrom, outerTo, holeRows, holes.take(holeRows), rest));
    }
    return drawn.take(rows);
  };
}
