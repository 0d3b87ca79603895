import { SHADES, type Shade } from "../../../shared/color/shade";

/** Cells per side of the grid in which neighbours are counted. */
const CELLS = 24;

/** A rectangle in image pixels. */
export type Area = readonly [x: number, y: number, width: number, height: number];

/**
 * Gives neighbouring instances of a category different shades of its colour. An instance keeps its shade: neither moving
 * it nor deleting its neighbours changes a colour.
 */
export class Shades {
  private readonly known = new Map<string, Shade>();
  /** Number of instances with each shade, by category and cell. */
  private readonly counts = new Map<string, number[]>();

  constructor(private readonly image: { width: number; height: number }) {}

  /** Returns the shade of an instance, at first sight the one that is rarest around it. */
  of(uuid: string, category: number, areaOf: () => Area): Shade {
    const before = this.known.get(uuid);
    if (before !== undefined) return before;
    const cells = this.cellsOf(category, areaOf());
    const around = SHADES.map((shade) => cells.reduce((sum, cell) => sum + (this.counts.get(cell)?.[shade] ?? 0), 0));
    const shade = SHADES[around.indexOf(Math.min(...around))]!;
    this.known.set(uuid, shade);
    for (const cell of cells) {
      const counts = this.counts.get(cell) ?? SHADES.map(() => 0);
      counts[shade]!++;
      this.counts.set(cell, counts);
    }
    return shade;
  }

  /** Returns the cells that an area covers, and those beside it. */
  private cellsOf(category: number, [x, y, width, height]: Area): string[] {
    const index = (at: number, size: number) => Math.min(Math.max(Math.floor((at / size) * CELLS), 0), CELLS - 1);
    const [left, right] = [x, x + width].map((at) => index(at, this.image.width)) as [number, number];
    const [top, bottom] = [y, y + height].map((at) => index(at, this.image.height)) as [number, number];
    const cells: string[] = [];
    for (let row = Math.max(top - 1, 0); row <= Math.min(bottom + 1, CELLS - 1); row++)
      for (let column = Math.max(left - 1, 0); column <= Math.min(right + 1, CELLS - 1); column++)
        cells.push(`${category} ${row * CELLS + column}`);
    return cells;
  }
}
