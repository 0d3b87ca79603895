import { DEXTR } from "../../../../shared/constants";
import type { Box } from "../../canvas/shapes/shapes";
import type { Point } from "../../canvas/view/view";

/** The clicked points, in image pixels: the first four are the extreme points, the others lie on the border. */
export class Clicks {
  private points: Point[] = [];
  /** Points removed by undo, for redo. */
  private undone: Point[] = [];

  get all(): readonly Point[] {
    return this.points;
  }

  get count(): number {
    return this.points.length;
  }

  /** True if all extreme points are set, as the network requires. */
  get isComplete(): boolean {
    return this.count >= DEXTR.points;
  }

  get isFull(): boolean {
    return this.count >= DEXTR.points + DEXTR.maxMore;
  }

  get last(): Point | null {
    return this.points.at(-1) ?? null;
  }

  add(point: Point): void {
    this.points.push(point);
    this.undone = [];
  }

  /** Moves the last point. */
  moveLast(point: Point): void {
    if (this.count > 0) this.points[this.count - 1] = point;
  }

  removeLast(): boolean {
    this.undone = [];
    return this.points.pop() !== undefined;
  }

  undo(): boolean {
    const point = this.points.pop();
    if (point) this.undone.push(point);
    return point !== undefined;
  }

  redo(): boolean {
    const point = this.undone.pop();
    if (point) this.points.push(point);
    return point !== undefined;
  }

  clear(): void {
    this.points = [];
    this.undone = [];
  }

  /** Returns the box around all points and `more`; null if no point is set. */
  boxWith(more: Point | null): Box | null {
    if (this.count === 0) return null;
    const xs = [...this.points, ...(more ? [more] : [])].map(({ x }) => x);
    const ys = [...this.points, ...(more ? [more] : [])].map(({ y }) => y);
    return { minX: Math.min(...xs), minY: Math.min(...ys), maxX: Math.max(...xs), maxY: Math.max(...ys) };
  }

  /**
   * Returns the points for a request. The network puts pixel centres at whole numbers, so half a pixel is subtracted.
   */
  inRequest(): { points: [number, number][]; more: [number, number][] } {
    const pixels = this.points.map(({ x, y }): [number, number] => [x - 0.5, y - 0.5]);
    return { points: pixels.slice(0, DEXTR.points), more: pixels.slice(DEXTR.points) };
  }
}
