import type { Ring } from "../../../../shared/entities/shape";
import type { Point } from "../../canvas/view/view";

/** The points of an unfinished outline in image pixels, grouped by gesture. */
export class Line {
  private points: Point[] = [];
  private marks: number[] = [];
  /** Undone gestures, for redo. */
  private undone: Point[][] = [];
  /** Gestures that were undone when the current gesture began; restored if it is aborted. */
  private undoneBefore: Point[][] = [];
  private readonly dragged = new WeakSet<Point>();

  get count(): number {
    return this.points.length;
  }

  /** True if a part of the outline was drawn by dragging. */
  get isFreehand(): boolean {
    return this.points.some((point) => this.dragged.has(point));
  }

  /** Number of points before each gesture. */
  get starts(): number[] {
    return [...this.marks];
  }

  ring(): Ring {
    return this.points.flatMap(({ x, y }) => [x, y]);
  }

  beginGesture(): void {
    this.marks.push(this.points.length);
    this.undoneBefore = this.undone;
    this.undone = [];
  }

  /** Removes the points of the current gesture as if it had not begun. */
  abortGesture(): void {
    const mark = this.marks.pop();
    if (mark === undefined) return;
    this.points.splice(mark);
    this.undone = this.undoneBefore;
  }

  /** Adds a point, unless it equals the last one. */
  add(point: Point): void {
    if (this.distanceFromLast(point) > 0) this.points.push(point);
  }

  addFreehand(point: Point): void {
    this.dragged.add(point);
    this.add(point);
  }

  distanceFromLast(point: Point): number {
    const last = this.points.at(-1);
    return last ? Math.hypot(point.x - last.x, point.y - last.y) : Number.POSITIVE_INFINITY;
  }

  distanceToFirst(point: Point | undefined = this.points.at(-1)): number {
    const [first] = this.points;
    return first && point ? Math.hypot(point.x - first.x, point.y - first.y) : Number.POSITIVE_INFINITY;
  }

  dropPoint(): boolean {
    const had = this.points.pop() !== undefined;
    while (this.marks.length > 0 && this.marks.at(-1)! >= this.points.length) this.marks.pop();
    this.undone = [];
    return had;
  }

  dropGesture(): boolean {
    const mark = this.marks.pop();
    if (mark === undefined) return false;
    this.undone.push(this.points.splice(mark));
    return true;
  }

  restoreGesture(): boolean {
    const points = this.undone.pop();
    if (!points) return false;
    this.marks.push(this.points.length);
    this.points.push(...points);
    return true;
  }

  clear(): void {
    this.points = [];
    this.marks = [];
    this.undone = [];
  }
}
