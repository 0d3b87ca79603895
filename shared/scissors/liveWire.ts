import type { Ring } from "../entities/shape";
import type { Pixels } from "../wand/pixels";
import { CostMap, TILE_BITS } from "./costMap";
import { halved } from "./pyramid";
import { WireSearch } from "./wireSearch";

/**
 * Longest distance along an axis that is searched at one scale, in pixels of that scale. Farther ends are sought at
 * half the size.
 */
const RADIUS = 64;
/** Distance beyond RADIUS to which a line may make a detour. */
const DETOUR = 32;
/** Distance from the line found at half the size within which it is sought at full size. */
const BAND = 2;
/** Radius in pixels of one scale in which a place for an anchor is sought. */
const SNAP = 6;
/**
 * Scale from which the costs of the whole image are computed in advance, which takes some tenths of a second at 12
 * megapixels: a wire across the image may take another way with each move of the pointer.
 */
const AHEAD = 2;
/** Cost that each pixel of distance adds to a place for an anchor. */
const NEAR = 4;

/** A point x, y in image pixels. */
export type Place = readonly [x: number, y: number];

/**
 * The image at one scale: its costs, the search from the last anchor, and the search near a line found at half the
 * size.
 */
interface Scale {
  costs: CostMap;
  search: WireSearch;
  along: WireSearch;
  /** Corner at which `search` began. */
  begun: string;
}

/**
 * Intelligent scissors: lines that follow borders in an image (Mortensen & Barrett 1995). Far ends are sought in a
 * smaller image and the line is then made exact from scale to scale, so that every line takes a few milliseconds. Lines
 * run along pixel corners, which have whole coordinates in image pixels.
 */
export class LiveWire {
  private readonly scales: Scale[] = [];

  constructor(pixels: Pixels) {
    for (let image = pixels; ; image = halved(image)) {
      const costs = new CostMap(image);
      this.scales.push({ costs, search: new WireSearch(costs), along: new WireSearch(costs), begun: "" });
      if (this.scales.length > AHEAD) costs.prepareAll();
      if (Math.max(image.width, image.height) <= RADIUS) return;
    }
  }

  /**
   * Returns the line x, y, x, y, … along borders from one point to another. `reach`: distance in image pixels within
   * which the end moves to a border. `detail`: distance in image pixels to which the line must be exact, such as the
   * size of a screen pixel. Lines from the same start are found faster after the first.
   */
  line(from: Place, to: Place, reach: number, detail = 1): Ring {
    const [x0, y0] = this.corner(from[0], from[1], 0);
    const [x1, y1] = this.place(to[0], to[1], reach);
    const far = Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0));
    const last = this.scales.length - 1;
    let k = Math.min(Math.max(Math.ceil(Math.log2(Math.max(far, 1) / RADIUS)), 0), last);
    let line = this.firstLine(k, [x0, y0], [x1, y1]);
    const finest = Math.round(Math.log2(Math.max(detail, 1)));
    for (; line && k > finest; k--) line = this.exacter(k - 1, line, [x0, y0], [x1, y1]);
    if (!line) return [x0, y0, x1, y1];
    if (k === 0) return line;
    const { width, height } = this.scales[0]!.costs;
    const between = line.slice(2, -2).map((value, i) => Math.min(value * 2 ** k, i % 2 === 0 ? width : height));
    return [x0, y0, ...between, x1, y1];
  }

  /** Returns the corner on the most distinct border within `reach` image pixels of a point. */
  place(x: number, y: number, reach: number): [number, number] {
    const last = this.scales.length - 1;
    let k = Math.min(Math.max(Math.ceil(Math.log2(Math.max(reach, 1) / SNAP)), 0), last);
    let radius = Math.min(Math.round(reach / 2 ** k), SNAP);
    let [cx, cy] = this.corner(x, y, k);
    for (; ; k--) {
      [cx, cy] = this.cheapest(k, cx, cy, radius);
      if (k === 0) return [cx, cy];
      [cx, cy, radius] = [2 * cx, 2 * cy, Math.min(reach, 2)];
      const { width, height } = this.scales[k - 1]!.costs;
      [cx, cy] = [Math.min(cx, width), Math.min(cy, height)];
    }
  }

  private firstLine(k: number, from: Place, to: Place): Ring | null {
    const scale = this.scales[k]!;
    const [x0, y0] = this.corner(...from, k);
    const begun = `${x0} ${y0}`;
    if (scale.begun !== begun) scale.search.begin(x0, y0, RADIUS + DETOUR);
    scale.begun = begun;
    return scale.search.lineTo(...this.corner(...to, k));
  }

  /** Returns the best line near one that was found at half the size. */
  private exacter(k: number, line: Ring, from: Place, to: Place): Ring | null {
    const { along, costs } = this.scales[k]!;
    const doubled = line.map((value, i) => Math.min(2 * value, i % 2 === 0 ? costs.width : costs.height));
    along.beginAlong(doubled, BAND, ...this.corner(...from, k));
    return along.lineTo(...this.corner(...to, k));
  }

  private cheapest(k: number, x: number, y: number, radius: number): [number, number] {
    const { costs } = this.scales[k]!;
    let best = { cost: Number.POSITIVE_INFINITY, x, y };
    for (let row = Math.max(y - radius, 0); row <= Math.min(y + radius, costs.height); row++)
      for (let column = Math.max(x - radius, 0); column <= Math.min(x + radius, costs.width); column++) {
        const distance = Math.hypot(column - x, row - y);
        if (distance > radius) continue;
        costs.prepare(column >> TILE_BITS, row >> TILE_BITS);
        const cost = costs.at(column, row) + NEAR * distance;
        if (cost < best.cost) best = { cost, x: column, y: row };
      }
    return [best.x, best.y];
  }

  /** Returns the corner of a scale that is nearest to a point in image pixels. */
  private corner(x: number, y: number, k: number): [number, number] {
    const { width, height } = this.scales[k]!.costs;
    const nearest = (value: number, most: number) => Math.min(Math.max(Math.round(value / 2 ** k), 0), most);
    return [nearest(x, width), nearest(y, height)];
  }
}
