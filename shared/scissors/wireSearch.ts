import type { Ring } from "../entities/shape";
import { type CostMap, MAX_COST, STEP_X, STEP_Y, TILE, TILE_BITS } from "./costMap";

const TILE_NODES = TILE * TILE;
/** Number of buckets of the queue: more than the largest cost of a step, a power of two. */
const BUCKETS = 512;
const UNREACHED = 0x7fffffff;
const OPEN = 0;
const SETTLED = 1;
const CLOSED = 2;

/**
 * Cheapest lines from a start to corners of a cost map: Dijkstra's search with buckets (Dial 1969), which continues
 * where it stopped when a farther corner is requested. Memory is used only for squares that the search has reached.
 */
export class WireSearch {
  private readonly columns: number;
  /** Number of each square in the arrays below; -1 if the search has not reached it. */
  private readonly slotOf: Int32Array;
  private tiles: number[] = [];
  private distance = new Int32Array(0);
  /** Doubly linked lists of the nodes in each bucket. */
  private next = new Int32Array(0);
  private previous = new Int32Array(0);
  /** Step by which each node was reached. */
  private came = new Uint8Array(0);
  private state = new Uint8Array(0);
  private readonly heads = new Int32Array(BUCKETS).fill(-1);
  private queued = 0;
  private level = 0;
  private start = { x: 0, y: 0 };
  private box = { left: 0, top: 0, right: 0, bottom: 0 };
  private fresh = OPEN;

  constructor(private readonly costs: CostMap) {
    this.columns = costs.columns;
    this.slotOf = new Int32Array(costs.columns * costs.rows).fill(-1);
    if (MAX_COST >= BUCKETS) throw new Error("A step costs more than there are buckets.");
  }

  /** Starts at a corner. The search stays within `radius` of it along both axes. */
  begin(x: number, y: number, radius: number): void {
    this.reset(OPEN);
    const { width, height } = this.costs;
    this.box = {
      left: Math.max(x - radius, 0),
      top: Math.max(y - radius, 0),
      right: Math.min(x + radius, width),
      bottom: Math.min(y + radius, height),
    };
    this.enter(x, y);
  }

  /** Starts at a corner. The search stays within `reach` of the corners of a line. */
  beginAlong(line: Ring, reach: number, x: number, y: number): void {
    this.reset(CLOSED);
    const { width, height } = this.costs;
    this.box = { left: 0, top: 0, right: width, bottom: height };
    for (let i = 0; i < line.length; i += 2) {
      const [cx, cy] = [line[i]!, line[i + 1]!];
      for (let row = Math.max(cy - reach, 0); row <= Math.min(cy + reach, height); row++)
        for (let column = Math.max(cx - reach, 0); column <= Math.min(cx + reach, width); column++)
          this.state[this.node(column, row)] = OPEN;
    }
    this.enter(x, y);
  }

  /** Returns the cheapest line from the start to a corner, both included; null if the search may not go there. */
  lineTo(x: number, y: number): Ring | null {
    const { left, top, right, bottom } = this.box;
    if (x < left || y < top || x > right || y > bottom) return null;
    const target = this.node(x, y);
    if (!this.settleUntil(target)) return null;
    const backward: number[] = [];
    let [cx, cy] = [x, y];
    for (;;) {
      backward.push(cy, cx);
      if (cx === this.start.x && cy === this.start.y) return backward.reverse();
      const step = this.came[this.node(cx, cy)]!;
      cx -= STEP_X[step]!;
      cy -= STEP_Y[step]!;
    }
  }

  private enter(x: number, y: number): void {
    this.start = { x, y };
    const node = this.node(x, y);
    this.state[node] = OPEN;
    this.distance[node] = 0;
    this.push(node, 0);
  }

  /**
   * Settles nodes in the order of their distance until the target is settled. Returns false if the target cannot be
   * reached.
   */
  private settleUntil(target: number): boolean {
    const { costs, heads } = this;
    const { columns } = costs;
    const { left, top, right, bottom } = this.box;
    while (this.state[target] !== SETTLED) {
      if (this.queued === 0) return false;
      while (heads[this.level & (BUCKETS - 1)]! < 0) this.level++;
      const { level } = this;
      const node = heads[level & (BUCKETS - 1)]!;
      this.remove(node, level);
      this.state[node] = SETTLED;
      const tile = this.tiles[node >> (2 * TILE_BITS)]!;
      const row = (tile / columns) | 0;
      const x = ((tile - row * columns) << TILE_BITS) | (node & (TILE - 1));
      const y = (row << TILE_BITS) | ((node >> TILE_BITS) & (TILE - 1));
      for (let step = 0; step < 8; step++) {
        const nx = x + STEP_X[step]!;
        const ny = y + STEP_Y[step]!;
        if (nx < left || ny < top || nx > right || ny > bottom) continue;
        const to = this.node(nx, ny);
        if (this.state[to] !== OPEN) continue;
        const before = this.distance[to]!;
        if (before <= level) continue;
        const distance = level + costs.step(x, y, step);
        if (distance >= before) continue;
        if (before !== UNREACHED) this.remove(to, before);
        this.distance[to] = distance;
        this.came[to] = step;
        this.push(to, distance);
      }
    }
    return true;
  }

  private push(node: number, distance: number): void {
    const bucket = distance & (BUCKETS - 1);
    const head = this.heads[bucket]!;
    this.next[node] = head;
    this.previous[node] = -1;
    if (head >= 0) this.previous[head] = node;
    this.heads[bucket] = node;
    this.queued++;
  }

  private remove(node: number, distance: number): void {
    const before = this.previous[node]!;
    const after = this.next[node]!;
    if (before >= 0) this.next[before] = after;
    else this.heads[distance & (BUCKETS - 1)] = after;
    if (after >= 0) this.previous[after] = before;
    this.queued--;
  }

  /** Returns the number of a corner. Adds its square, with its costs, if the search has not reached it before. */
  private node(x: number, y: number): number {
    const tile = (y >> TILE_BITS) * this.columns + (x >> TILE_BITS);
    let slot = this.slotOf[tile]!;
    if (slot < 0) slot = this.addTile(tile);
    return (slot << (2 * TILE_BITS)) | ((y & (TILE - 1)) << TILE_BITS) | (x & (TILE - 1));
  }

  private addTile(tile: number): number {
    const { columns } = this.costs;
    this.costs.prepare(tile % columns, (tile / columns) | 0);
    const slot = this.tiles.length;
    this.tiles.push(tile);
    this.slotOf[tile] = slot;
    const from = slot * TILE_NODES;
    if (from >= this.distance.length) this.grow();
    this.distance.fill(UNREACHED, from, from + TILE_NODES);
    this.state.fill(this.fresh, from, from + TILE_NODES);
    return slot;
  }

  private grow(): void {
    const size = Math.max(2 * this.distance.length, 64 * TILE_NODES);
    const larger = (old: Int32Array) => {
      const grown = new Int32Array(size);
      grown.set(old);
      return grown;
    };
    const largerBytes = (old: Uint8Array) => {
      const grown = new Uint8Array(size);
      grown.set(old);
      return grown;
    };
    this.distance = larger(this.distance);
    this.next = larger(this.next);
    this.previous = larger(this.previous);
    this.came = largerBytes(this.came);
    this.state = largerBytes(this.state);
  }

  /** Forgets the search, but keeps its memory. `fresh`: state of nodes in new squares. */
  private reset(fresh: number): void {
    for (const tile of this.tiles) this.slotOf[tile] = -1;
    this.tiles = [];
    this.heads.fill(-1);
    this.queued = 0;
    this.level = 0;
    this.fresh = fresh;
  }
}
