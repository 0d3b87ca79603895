import { DEXTR } from "../../../../shared/constants";
import type { Box } from "../../canvas/shapes/shapes";
import type { Point } from "../../canvas/view/view";

/** The points that were clicked: the first four are the extreme points, the others lie on the border. Image pixels. */
export class Clicks {
  private points: Point[] = [];
  /** Taken back by undo, to be put in again. */
  private undone: Point[] = [];

  get all(): readonly Point[] {
    return this.points;
  }

  get count(): number {
    return this.points.length;
  }

  /** True if the network has all that it needs. */
  get isWhole(): boolean {
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

  /** Puts the last point elsewhere. */
  moveLast(point: Point): void {
    if (this.count > 0) this.points[this.count - 1] = point;
  }

  drop(): boolean {
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

  /** Around the points and one more; null where there are none. */
  boxWith(more: Point | null): Box | null {
    if (this.count === 0) return null;
    const xs = [...this.points, ...(more ? [more] : [])].map(({ x }) => x);
    const ys = [...this.points, ...(more ? [more] : [])].map(({ y }) => y);
    return { minX: Math.min(...xs), minY: Math.min(...ys), maxX: Math.max(...xs), maxY: Math.max(...ys) };
  }

  /**
   * As the network takes them: it counts pixels by their middle, so a place on the image is half a pixel less.
   */
  asked(): { points: [number, number][]; more: [number, number][] } {
    const pixels = this.points.map(({ x, y }): [number, number] => [x - 0.5, y - 0.5]);
    return { points: pixels.slice(0, DEXTR.points), more: pixels.slice(DEXTR.points) };
  }
}
