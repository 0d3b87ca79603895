import { Edges } from "./edges";

/** Arrays for rasterising one shape after another. Making a dozen of them takes longer than measuring a small shape. */
export class RasterRoom {
  readonly edges: Edges;
  /** Edges in the order of their first columns. */
  readonly order: Int32Array;
  /** Edges that cross the current column, and the rows where they do. */
  readonly active: Int32Array;
  readonly rows: Int32Array;
  private starts: Int32Array;
  private next: Int32Array;

  /** `points` and `columns`: largest number of points of a shape, and of columns without making new arrays. */
  constructor(
    readonly points: number,
    columns = 0,
  ) {
    this.edges = new Edges(points);
    this.order = new Int32Array(points);
    this.active = new Int32Array(points);
    this.rows = new Int32Array(points);
    this.starts = new Int32Array(columns);
    this.next = new Int32Array(columns);
  }

  /** Returns two arrays with at least `columns` places, those of the first with zeros. */
  columns(columns: number): { starts: Int32Array; next: Int32Array } {
    if (columns > this.starts.length) {
      this.starts = new Int32Array(columns);
      this.next = new Int32Array(columns);
    }
    this.starts.fill(0, 0, columns);
    return { starts: this.starts, next: this.next };
  }
}
