import type { Prompt } from "../../../../model/dextr/base/request";
import { cropAround } from "../../../../model/dextr/predict/crop";
import { DEXTR } from "../../../../shared/constants";
import type { Box } from "../../canvas/shapes/shapes";
import type { Point } from "../../canvas/view/view";

/**
 * The meaning of a click: the object's border passes there ("border"), the outline missed that place ("add"), or the
 * outline took too much there ("remove").
 */
export type ClickKind = "border" | "add" | "remove";

interface Click extends Point {
  kind: ClickKind;
}

const LIMITS = { border: DEXTR.points + DEXTR.maxMore, add: DEXTR.maxCorrections, remove: DEXTR.maxCorrections };

/**
 * The clicks, in image pixels. The first four on the border are the extreme points, unless a refined shape gives the
 * extreme points.
 */
export class Clicks {
  private clicks: Click[] = [];
  /** Clicks removed by undo, for redo. */
  private undone: Click[] = [];
  private given: Prompt | null = null;

  /** The points on the border that the user has clicked. */
  get border(): readonly Point[] {
    return this.of("border");
  }

  get corrections(): readonly Click[] {
    return this.clicks.filter(({ kind }) => kind !== "border");
  }

  /** True if the extreme points come from a shape instead of clicks. */
  get isGiven(): boolean {
    return this.given !== null;
  }

  /** Number of clicks, given points included. */
  get count(): number {
    return this.clicks.length + (this.given ? DEXTR.points : 0);
  }

  /** True if all extreme points are set, as the network requires. */
  get isComplete(): boolean {
    return this.count >= DEXTR.points;
  }

  get isCorrectedLast(): boolean {
    return this.last !== null && this.last.kind !== "border";
  }

  get last(): Click | null {
    return this.clicks.at(-1) ?? null;
  }

  isFull(kind: ClickKind): boolean {
    const given = kind === "border" && this.given ? DEXTR.points : 0;
    return this.of(kind).length + given >= LIMITS[kind];
  }

  /** Returns true if a place is in the network's input: the box of the points on the border, with some context. */
  isSeen({ x, y }: Point): boolean {
    const { points, more } = this.inRequest();
    const { left, top, right, bottom } = cropAround([...points, ...more]);
    return x >= left && x <= right && y >= top && y <= bottom;
  }

  /** Begins with the extreme points of a shape. */
  begin(given: Prompt): void {
    this.clear();
    this.given = given;
  }

  add({ x, y }: Point, kind: ClickKind): void {
    this.clicks.push({ x, y, kind });
    this.undone = [];
  }

  /** Moves the last click. */
  moveLast({ x, y }: Point): void {
    const { last } = this;
    if (last) this.clicks[this.clicks.length - 1] = { x, y, kind: last.kind };
  }

  removeLast(): boolean {
    this.undone = [];
    return this.clicks.pop() !== undefined;
  }

  undo(): boolean {
    const click = this.clicks.pop();
    if (click) this.undone.push(click);
    return click !== undefined;
  }

  redo(): boolean {
    const click = this.undone.pop();
    if (click) this.clicks.push(click);
    return click !== undefined;
  }

  clear(): void {
    this.clicks = [];
    this.undone = [];
    this.given = null;
  }

  /** Returns the box around all points on the border and `more`; null if no point is set. */
  boxWith(more: Point | null): Box | null {
    const points = [...this.border, ...(more ? [more] : [])];
    if (this.border.length === 0) return null;
    const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
    return { minX: Math.min(...xs), minY: Math.min(...ys), maxX: Math.max(...xs), maxY: Math.max(...ys) };
  }

  /**
   * Returns the clicks for a request. The network puts pixel centres at whole numbers, so half a pixel is subtracted.
   */
  inRequest(): Prompt {
    const pixels = (kind: ClickKind) => this.of(kind).map(({ x, y }): [number, number] => [x - 0.5, y - 0.5]);
    const border = pixels("border");
    const [added, removed] = [pixels("add"), pixels("remove")];
    const corrections = { ...(added.length > 0 && { added }), ...(removed.length > 0 && { removed }) };
    if (this.given) return { ...this.given, more: border, ...corrections };
    return { points: border.slice(0, DEXTR.points), more: border.slice(DEXTR.points), ...corrections };
  }

  private of(kind: ClickKind): Click[] {
    return this.clicks.filter((click) => click.kind === kind);
  }
}
