import type { Pixels } from "../wand/pixels";
import { computeGradients, type Gradients, newGradients } from "./gradients";

/** Binary logarithm of TILE. */
export const TILE_BITS = 5;
/** Width and height of the squares of corners whose costs are computed at once. */
export const TILE = 1 << TILE_BITS;

/** Number of directions that an edge can have, from 0 to 180 degrees. */
const DIRECTIONS = 16;
/** Weights of the three parts of a cost: being off a border, the weakness of the border, and leaving its direction. */
const WEIGHT = { elsewhere: 60, weakness: 70, turn: 60 };
/** Gradient at which the weakness of a border is one half, and gradient below which there is no border. */
const HALF_STRENGTH = 24;
const LEAST_STRENGTH = 2;
/** Additional cost of every step, so that of otherwise equal lines the shortest is chosen. */
const STEP = 3;
/** Cost of a corner on the image's border, where objects are often cut off. */
const IMAGE_BORDER = 50;

/** Steps to the eight neighbours, clockwise from the right. */
export const STEP_X = Int8Array.of(1, 1, 0, -1, -1, -1, 0, 1);
export const STEP_Y = Int8Array.of(0, 1, 1, 1, 0, -1, -1, -1);

/** Largest cost of a step. */
export const MAX_COST = Math.ceil((WEIGHT.elsewhere + WEIGHT.weakness + WEIGHT.turn + STEP) * Math.SQRT2) + 1;

/**
 * Cost of turning, for each direction of a corner's edge and each of the eight steps. Both ends of a step add to its
 * cost, each with half the weight.
 */
const TURN = turnCosts();

/**
 * Costs of lines along the pixel corners of an image: low along strong borders, after Mortensen & Barrett 1995. Instead
 * of their zero crossings of the Laplacian, uses the maxima of the gradient across the border (Canny 1986), which are
 * the same places. Costs are computed square by square when a search reaches them. Corners are 0 to width and 0 to
 * height.
 */
export class CostMap {
  readonly width: number;
  readonly height: number;
  /** Squares in a row. */
  readonly columns: number;
  readonly rows: number;
  /** Corners in a row. */
  private readonly stride: number;
  /** For each corner: its cost in the high byte, the direction of its edge in the low one. */
  private readonly corners: Uint16Array;
  private readonly isReady: Uint8Array;
  /** Gradients of a square and of the corners around it. */
  private readonly gradients: Gradients = newGradients(TILE + 2);

  constructor(private readonly pixels: Pixels) {
    this.width = pixels.width;
    this.height = pixels.height;
    this.stride = this.width + 1;
    this.columns = (this.width >> TILE_BITS) + 1;
    this.rows = (this.height >> TILE_BITS) + 1;
    this.corners = new Uint16Array(this.stride * (this.height + 1));
    this.isReady = new Uint8Array(this.columns * this.rows);
  }

  /** Computes the costs of a square, unless they are ready. */
  prepare(column: number, row: number): void {
    const tile = row * this.columns + column;
    if (this.isReady[tile]) return;
    this.isReady[tile] = 1;
    const [left, top] = [column << TILE_BITS, row << TILE_BITS];
    computeGradients(this.pixels, left - 1, top - 1, this.gradients);
    const [right, bottom] = [Math.min(left + TILE - 1, this.width), Math.min(top + TILE - 1, this.height)];
    for (let y = top; y <= bottom; y++)
      for (let x = left; x <= right; x++) {
        const isBorder = x === 0 || y === 0 || x === this.width || y === this.height;
        const at = (y - top + 1) * this.gradients.side + (x - left + 1);
        this.corners[y * this.stride + x] = isBorder ? this.borderCorner(x, y) : this.cornerOf(at);
      }
  }

  /** Computes the costs of all squares. */
  prepareAll(): void {
    for (let row = 0; row < this.rows; row++)
      for (let column = 0; column < this.columns; column++) this.prepare(column, row);
  }

  /** Returns the cost of a corner, whose square must be ready. */
  at(x: number, y: number): number {
    return this.corners[y * this.stride + x]! >> 8;
  }

  /** Returns the cost of a step (0 to 7) from a corner to its neighbour; the squares of both must be ready. */
  step(x: number, y: number, step: number): number {
    const from = this.corners[y * this.stride + x]!;
    const to = this.corners[(y + STEP_Y[step]!) * this.stride + (x + STEP_X[step]!)]!;
    const turn = TURN[((from & 255) << 3) | step]! + TURN[((to & 255) << 3) | step]!;
    const cost = (to >> 8) + turn + STEP;
    return step & 1 ? (cost * 181) >> 7 : cost;
  }

  private cornerOf(at: number): number {
    const { across, down, squares } = this.gradients;
    const strength = Math.sqrt(squares[at]!);
    if (strength < LEAST_STRENGTH) return ((WEIGHT.elsewhere + WEIGHT.weakness) << 8) | DIRECTIONS;
    const weakness = HALF_STRENGTH / (HALF_STRENGTH + strength);
    const cost = WEIGHT.weakness * weakness + (this.isCrest(at) ? 0 : WEIGHT.elsewhere);
    // An edge is perpendicular to the gradient.
    const angle = Math.atan2(across[at]!, -down[at]!) / Math.PI + 1;
    return (Math.round(cost) << 8) | (Math.round(angle * DIRECTIONS) % DIRECTIONS);
  }

  /** Returns true if the gradient at this corner is at least as strong as at its two neighbours across the edge. */
  private isCrest(at: number): boolean {
    const { across, down, squares, side } = this.gradients;
    const [gx, gy] = [across[at]!, down[at]!];
    const [ax, ay] = [Math.abs(gx), Math.abs(gy)];
    const isSame = gx > 0 === gy > 0;
    const horizontal = ax > 2.414 * ay ? 1 : 0;
    const vertical = ay > 2.414 * ax ? side : 0;
    const beside = horizontal || vertical || (isSame ? side + 1 : side - 1);
    return squares[at]! >= squares[at - beside]! && squares[at]! >= squares[at + beside]!;
  }

  private borderCorner(x: number, y: number): number {
    const isVertical = x === 0 || x === this.width;
    const isCorner = isVertical && (y === 0 || y === this.height);
    return (IMAGE_BORDER << 8) | (isCorner ? DIRECTIONS : isVertical ? DIRECTIONS / 2 : 0);
  }
}

/** The entry after the last direction is for corners without a direction: every step from them costs the same. */
function turnCosts(): Uint8Array {
  const costs = new Uint8Array((DIRECTIONS + 1) * 8).fill(WEIGHT.turn / 2);
  for (let direction = 0; direction < DIRECTIONS; direction++)
    for (let step = 0; step < 8; step++) {
      const angle = Math.abs((direction / DIRECTIONS) * Math.PI - ((step % 4) / 4) * Math.PI);
      costs[direction * 8 + step] = (WEIGHT.turn / 2) * (Math.min(angle, Math.PI - angle) / (Math.PI / 2));
    }
  return costs;
}
