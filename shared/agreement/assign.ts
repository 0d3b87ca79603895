/**
 * Returns for each row the column that it is assigned to, or -1: the assignment with the largest sum of weights, in
 * which no column has two rows. Weights are at least 0; a pair with weight 0 is never assigned. Source: Kuhn, "The
 * Hungarian method for the assignment problem" (1955), and Munkres (1957), with shortest augmenting paths as in Jonker
 * and Volgenant (1987). Cubic time.
 */
export function assign(weights: readonly (readonly number[])[]): number[] {
  const rows = weights.length;
  const columns = weights[0]?.length ?? 0;
  if (rows > columns) {
    const turned = Array.from({ length: columns }, (_, column) => weights.map((row) => row[column]!));
    return inverse(assign(turned), rows);
  }
  const most = Math.max(0, ...weights.map((row) => Math.max(...row)));
  const search = new Search(weights, most, columns);
  for (let row = 0; row < rows; row++) search.add(row);
  return inverse([...search.rowOf], rows).map((column, row) => (weights[row]![column]! > 0 ? column : -1));
}

function inverse(list: readonly number[], length: number): number[] {
  const out = new Array<number>(length).fill(-1);
  for (const [at, value] of list.entries()) if (value >= 0) out[value] = at;
  return out;
}

/**
 * An assignment of some rows with the least costs, which grows by one row at a time. The cost of a pair is most -
 * weight.
 */
class Search {
  /** Row of each column, or -1. */
  readonly rowOf: Int32Array;
  private readonly ofRow: Float64Array;
  private readonly ofColumn: Float64Array;

  constructor(
    private readonly weights: readonly (readonly number[])[],
    private readonly most: number,
    private readonly columns: number,
  ) {
    this.rowOf = new Int32Array(columns).fill(-1);
    this.ofRow = new Float64Array(weights.length);
    this.ofColumn = new Float64Array(columns);
  }

  /** Finds the cheapest path from a row to a free column, and assigns the rows on the path anew. */
  add(start: number): void {
    const { columns, rowOf, ofRow, ofColumn } = this;
    const distance = new Float64Array(columns).fill(Number.POSITIVE_INFINITY);
    const before = new Int32Array(columns).fill(-1);
    const isDone = new Uint8Array(columns);
    let row = start;
    let last = -1;
    let length = 0;
    do {
      let nearest = -1;
      for (let column = 0; column < columns; column++) {
        if (isDone[column]) continue;
        const reduced = this.most - this.weights[row]![column]! - ofRow[row]! - ofColumn[column]!;
        if (length + reduced < distance[column]!) {
          distance[column] = length + reduced;
          before[column] = last;
        }
        if (nearest < 0 || distance[column]! < distance[nearest]!) nearest = column;
      }
      length = distance[nearest]!;
      isDone[nearest] = 1;
      last = nearest;
      row = rowOf[nearest]!;
    } while (row >= 0);
    ofRow[start]! += length;
    for (let column = 0; column < columns; column++) {
      if (!isDone[column] || column === last) continue;
      ofColumn[column]! -= length - distance[column]!;
      ofRow[rowOf[column]!]! += length - distance[column]!;
    }
    for (let column = last; column >= 0; column = before[column]!)
      rowOf[column] = before[column]! < 0 ? start : rowOf[before[column]!]!;
  }
}
