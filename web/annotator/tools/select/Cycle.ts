import type { Point } from "../../canvas/view/view";

/** Clicks within this distance of each other are at the same place, in screen pixels. */
const SAME_PLACE_PX = 5;

/** Chooses among overlapping annotations: repeated clicks at one place select one after another, the smallest first. */
export class Cycle {
  private last: { at: Point; chosen: string | null; before: string | null } | null = null;

  /**
   * Returns the annotation that a click selects. `under`: those at the point, the smallest first; `selected`: the
   * selected one; `scale`: image pixels per screen pixel.
   */
  next(at: Point, under: readonly string[], selected: string | null, scale: number): string | null {
    const { last } = this;
    const isAgain = last !== null && last.chosen === selected && isNear(last.at, at, scale);
    const place = isAgain && selected !== null ? under.indexOf(selected) : -1;
    const chosen = under[(place + 1) % Math.max(under.length, 1)] ?? null;
    this.last = { at: isAgain ? last.at : at, chosen, before: place >= 0 ? selected : chosen };
    return chosen;
  }

  /**
   * Returns the annotation that a double click opens. If the first click moved on to the next annotation at this place,
   * returns the annotation that was selected before.
   */
  doubled(at: Point, under: readonly string[], scale: number): string | null {
    const { last } = this;
    const meant = last && isNear(last.at, at, scale) ? last.before : null;
    const chosen = meant !== null && under.includes(meant) ? meant : (under[0] ?? null);
    this.last = { at, chosen, before: chosen };
    return chosen;
  }
}

const isNear = (a: Point, b: Point, scale: number): boolean =>
  Math.hypot(a.x - b.x, a.y - b.y) <= SAME_PLACE_PX * scale;
