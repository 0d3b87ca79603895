import { SHADES, type Shade } from "../../../shared/color/shade";

/** Cells per side of the grid in which neighbours are counted. */
const CELLS = 24;

/** A rectangle in image pixels. */
export type Area = readonly [x: number, y: number, width: number, height: number];

/**
 * Gives neighbouring instances of a category different shades of its colour. An instance keeps its shade: neither
 * moving it nor deleting its neighbours changes a colour.
 */
export class Shades {
  private readonly known = new Map<string, Shade>();
  /** For each category, the number of instances with each shade in each cell. */
  private readonly counts = new Map<number, Uint32Array>();

  constructor(private readonly image: { width: number; height: number }) {}

  /** Returns the shade of an instance, at first sight the one that is rarest in its cells and those beside them. */
  of(uuid: string, category: number, areaOf: () => Area): Shade {
    const before = this.known.get(uuid);
    if (before !== undefined) return before;
    const counts = this.counts.get(category) ?? new Uint32Array(CELLS * CELLS * SHADES.length);
    this.counts.set(category, counts);
    const cells = this.cellsOf(areaOf());
    const around = SHADES.map(() => 0);
    for (const cell of cells) for (const shade of SHADES) around[shade]! += counts[cell + shade]!;
    const shade = SHADES[around.indexOf(Math.min(...around))]!;
    for (const cell of cells) counts[cell + shade]!++;
    this.known.set(uuid, shade);
    return shade;
  }

  /** Returns where the counts of the cells begin that an area covers, and of those beside it. */
  private cellsOf([x, y, width, height]: Area): number[] {
    const cellAt = (at: number, size: number) => Math.min(Math.max(Math.floor((at / size) * CELLS), 0), CELLS - 1);
    const [left, right] = [cellAt(x, this.image.width), cellAt(x + width, this.image.width)];
    const [top, bottom] = [cellAt(y, this.image.height), cellAt(y + height, this.image.height)];
    const cells: number[] = [];
    for (let row = Math.max(top - 1, 0); row <= Math.min(bottom + 1, CELLS - 1); row++)
      for (let column = Math.max(left - 1, 0); column <= Math.min(right + 1, CELLS - 1); column++)
        cells.push((row * CELLS + column) * SHADES.length);
    return cells;
  }
}
