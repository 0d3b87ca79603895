/** Transform from image pixels to device pixels of a canvas: device = image x scale + (x, y). */
export interface Transform {
  scale: number;
  x: number;
  y: number;
}

/** The methods of a path, or of a canvas's current path. */
export type TracedPath = Pick<CanvasPath, "moveTo" | "lineTo" | "closePath">;

/** Points within this many device pixels of the previous one are invisible and are skipped. */
const UNSEEN = 0.7;
/** Distance in device pixels by which a straight line may pass the points that it replaces. */
const FLAT = 0.2;

/**
 * Adds a ring to a path in device pixels, or an open line if `isClosed` is false. Leaves out points that make no
 * visible difference, because the browser's rasteriser takes time for each point.
 */
export function traceRing(
  path: TracedPath,
  ring: ArrayLike<number>,
  { scale, x, y }: Transform,
  isClosed = true,
): void {
  if (ring.length < 2) return;
  const line = new StraightLines(path, ring[0]! * scale + x, ring[1]! * scale + y);
  for (let i = 2; i + 1 < ring.length; i += 2) line.add(ring[i]! * scale + x, ring[i + 1]! * scale + y);
  line.end();
  if (isClosed) path.closePath();
}

/**
 * Joins successive points by lines that pass all points between them within FLAT (Zhao & Saalfeld 1997): each point
 * after the last corner narrows the range of directions that the line to the next corner may have. A point outside the
 * range, or one that goes back, makes the point before it a corner.
 */
class StraightLines {
  /** The point that was added last, which the path has not reached yet if `isOpen`. */
  private lastX: number;
  private lastY: number;
  private isOpen = false;
  private length = 0;
  /** Range of directions, if limited: clockwise on screen from `(leftX, leftY)` to `(rightX, rightY)`. */
  private isLimited = false;
  private leftX = 0;
  private leftY = 0;
  private rightX = 0;
  private rightY = 0;

  constructor(
    private readonly path: TracedPath,
    private cornerX: number,
    private cornerY: number,
  ) {
    this.lastX = cornerX;
    this.lastY = cornerY;
    path.moveTo(cornerX, cornerY);
  }

  add(x: number, y: number): void {
    if (Math.abs(x - this.lastX) + Math.abs(y - this.lastY) < UNSEEN) return;
    if (this.isOpen && !this.isStraightTo(x, y)) this.makeCorner();
    this.narrow(x - this.cornerX, y - this.cornerY);
    this.lastX = x;
    this.lastY = y;
    this.isOpen = true;
  }

  end(): void {
    if (this.isOpen) this.path.lineTo(this.lastX, this.lastY);
  }

  private isStraightTo(x: number, y: number): boolean {
    const dx = x - this.cornerX;
    const dy = y - this.cornerY;
    if (dx * dx + dy * dy < this.length * this.length) return false;
    return !this.isLimited || (this.leftX * dy >= this.leftY * dx && dx * this.rightY >= dy * this.rightX);
  }

  private makeCorner(): void {
    this.path.lineTo(this.lastX, this.lastY);
    this.cornerX = this.lastX;
    this.cornerY = this.lastY;
    this.length = 0;
    this.isLimited = false;
  }

  /** Limits the directions to those that pass a point, given from the corner, within FLAT. */
  private narrow(dx: number, dy: number): void {
    const length = Math.sqrt(dx * dx + dy * dy);
    this.length = length;
    if (length <= FLAT) return;
    const sideX = (-dy / length) * FLAT;
    const sideY = (dx / length) * FLAT;
    const leftX = dx - sideX;
    const leftY = dy - sideY;
    const rightX = dx + sideX;
    const rightY = dy + sideY;
    if (!this.isLimited || this.leftX * leftY > this.leftY * leftX) {
      this.leftX = leftX;
      this.leftY = leftY;
    }
    if (!this.isLimited || rightX * this.rightY > rightY * this.rightX) {
      this.rightX = rightX;
      this.rightY = rightY;
    }
    this.isLimited = true;
  }
}
