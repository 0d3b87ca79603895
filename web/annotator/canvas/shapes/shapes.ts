import RBush from "rbush";
import type { Ring, Rings } from "../../../../shared/entities/shape";
import { hitTest } from "../../../../shared/geometry/hit";
import { ringsContain } from "../../../../shared/geometry/polygons";
import { ringBounds, ringContains, segmentDistance } from "../../../../shared/geometry/ring";
import type { Point } from "../view/view";

/** A rectangle in image pixels. */
export interface Box {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
}

export interface Dot extends Point {
  /** Stable id of the keypoint's label. */
  label: number;
  color: string;
  /** False for keypoints that are labelled but not visible, which are painted hollow. */
  filled: boolean;
}

/** An annotation as the scene paints it. Coordinates in image pixels. */
export interface Shape extends Box {
  uuid: string;
  rings: Rings;
  /** `#rrggbb`. */
  color: string;
  dots: readonly Dot[];
  lines: readonly (readonly [Point, Point])[];
  /** Layer in the stack, 0 by default; a higher one is painted on top. */
  layer?: number;
  /** True if it is one of several selected shapes, which are highlighted. */
  isMarked?: boolean;
  /** True if the annotation is locked, so that its outline is dashed. */
  isLocked?: boolean;
}

/** Returns the bounds of a shape, or null if there is nothing to paint. */
export function boxOf(rings: Rings, dots: readonly Point[]): Box | null {
  const box = {
    minX: Number.POSITIVE_INFINITY,
    minY: Number.POSITIVE_INFINITY,
    maxX: Number.NEGATIVE_INFINITY,
    maxY: Number.NEGATIVE_INFINITY,
  };
  for (const [outer = []] of rings)
    for (let i = 0; i + 1 < outer.length; i += 2) widenTo(box, outer[i]!, outer[i + 1]!);
  for (const { x, y } of dots) widenTo(box, x, y);
  return box.minX === Number.POSITIVE_INFINITY ? null : box;
}

function widenTo(box: Box, x: number, y: number): void {
  if (x < box.minX) box.minX = x;
  if (x > box.maxX) box.maxX = x;
  if (y < box.minY) box.minY = y;
  if (y > box.maxY) box.maxY = y;
}

export function widened(box: Box, by: number): Box {
  return { minX: box.minX - by, minY: box.minY - by, maxX: box.maxX + by, maxY: box.maxY + by };
}

export function around(a: Box | null, b: Box | null): Box | null {
  if (!a || !b) return a ?? b;
  return {
    minX: Math.min(a.minX, b.minX),
    minY: Math.min(a.minY, b.minY),
    maxX: Math.max(a.maxX, b.maxX),
    maxY: Math.max(a.maxY, b.maxY),
  };
}

/** Orders shapes as they are painted: by layer, and large ones first, so that small ones are on top. */
export const byOrder = (a: Box & { layer?: number }, b: Box & { layer?: number }): number =>
  (a.layer ?? 0) - (b.layer ?? 0) || sizeOf(b) - sizeOf(a);

export const sizeOf = (box: Box): number => (box.maxX - box.minX) * (box.maxY - box.minY);

/** Returns the approximate cost of painting a shape, in vertices. */
export function costOf({ rings }: { rings: readonly (readonly ArrayLike<number>[])[] }): number {
  let vertices = 20;
  for (const polygon of rings) for (const ring of polygon) vertices += ring.length >> 1;
  return vertices;
}

export const overlap = (a: Box, b: Box): boolean =>
  a.minX <= b.maxX && a.maxX >= b.minX && a.minY <= b.maxY && a.maxY >= b.minY;

/** Copy of the shapes that is kept up to date. */
export interface ShapesMirror {
  load(shapes: readonly Shape[]): void;
  set(uuid: string, shape: Shape | null): void;
  /** Marks exactly these shapes. */
  mark(uuids: ReadonlySet<string>): void;
}

/** All shapes with a spatial index, to paint some of them and to find the one under the pointer. */
export class Shapes {
  private readonly byUuid = new Map<string, Shape>();
  private readonly tree = new RBush<Shape>();
  /** Uuid of the selected shape: found under the pointer, but painted by the active layer. */
  private selected: string | null = null;
  private marked: ReadonlySet<string> = new Set();
  private mirror: ShapesMirror | null = null;
  /** Uuids of shapes that are not found under the pointer or in a box. */
  private locked: ReadonlySet<string> = new Set();
  /** Incremented with every change of a shape. */
  version = 0;

  get size(): number {
    return this.byUuid.size;
  }

  /** Uuid of the selected shape, which is painted by the active layer. */
  get selectedUuid(): string | null {
    return this.selected;
  }

  /** Keeps a copy up to date from now on; null stops the updates. */
  mirrorTo(mirror: ShapesMirror | null): void {
    this.mirror = mirror;
    mirror?.load([...this.byUuid.values()]);
  }

  /** Returns the box around all shapes, or null if there are none. */
  bounds(): Box | null {
    if (this.byUuid.size === 0) return null;
    // Only the numbers: the box is sent to the painting worker, and the root of the tree contains all shapes.
    const { minX, minY, maxX, maxY } = this.tree.toJSON();
    return { minX, minY, maxX, maxY };
  }

  /** Returns true if all shapes, or those in a box, have a higher painting cost than `vertices`. */
  costMoreThan(vertices: number, box?: Box): boolean {
    let cost = 0;
    for (const shape of box ? this.tree.search(box) : this.byUuid.values()) {
      cost += costOf(shape);
      if (cost > vertices) return true;
    }
    return false;
  }

  get(uuid: string): Shape | null {
    return this.byUuid.get(uuid) ?? null;
  }

  /** Calls `visit` for each shape. */
  each(visit: (shape: Shape) => void): void {
    for (const shape of this.byUuid.values()) visit(shape);
  }

  load(shapes: readonly Shape[]): void {
    this.version++;
    this.byUuid.clear();
    this.tree.clear();
    markShapes(shapes, this.marked);
    for (const shape of shapes) this.byUuid.set(shape.uuid, shape);
    this.tree.load([...shapes]);
    this.mirror?.load(shapes);
  }

  /** Replaces or removes a shape. Returns the box that must be repainted, if any. */
  set(uuid: string, shape: Shape | null): Box | null {
    this.version++;
    const old = this.get(uuid);
    if (old) this.tree.remove(old);
    if (shape) {
      markShapes([shape], this.marked);
      this.byUuid.set(uuid, shape);
      this.tree.insert(shape);
    } else this.byUuid.delete(uuid);
    this.mirror?.set(uuid, shape);
    return around(old, shape);
  }

  /** Selects a shape, or none. Returns the box that must be repainted, if any. */
  select(uuid: string | null): Box | null {
    if (this.selected === uuid) return null;
    const before = this.selected && this.get(this.selected);
    this.selected = uuid;
    return around(before || null, uuid === null ? null : this.get(uuid));
  }

  /** Makes exactly these shapes impossible to find under the pointer or in a box. */
  lock(uuids: ReadonlySet<string>): void {
    this.locked = uuids;
  }

  /** Marks exactly these shapes, including shapes that are set later. */
  mark(uuids: ReadonlySet<string>): void {
    if (uuids.size === 0 && this.marked.size === 0) return;
    this.marked = uuids;
    markShapes(this.byUuid.values(), uuids);
    this.mirror?.mark(uuids);
  }

  /** Returns the uuids of the shapes that lie entirely in a box. */
  inside(box: Box): string[] {
    const { minX, minY, maxX, maxY } = box;
    const isInside = (a: Box) => a.minX >= minX && a.minY >= minY && a.maxX <= maxX && a.maxY <= maxY;
    return this.tree
      .search(box)
      .flatMap((shape) => (isInside(shape) && !this.locked.has(shape.uuid) ? [shape.uuid] : []));
  }

  /** Returns the uuids of the shapes of which all points lie in a loop x, y, x, y, … */
  insideLoop(loop: Ring): string[] {
    const [x, y, width, height] = ringBounds(loop);
    const isInside = (shape: Shape) =>
      shape.rings.every(([outer]) => !outer || pointsOf(outer).every(([px, py]) => ringContains(loop, px, py))) &&
      shape.dots.every((dot) => ringContains(loop, dot.x, dot.y));
    return this.inside({ minX: x, minY: y, maxX: x + width, maxY: y + height }).filter((uuid) => {
      const shape = this.get(uuid);
      return shape !== null && isInside(shape);
    });
  }

  /** Returns the shapes in a box except the selected one, in the order in which they are painted. */
  within(box: Box): Shape[] {
    return this.inOrder(box).filter((shape) => shape.uuid !== this.selected);
  }

  private inOrder(box: Box): Shape[] {
    return this.tree.search(box).sort(byOrder);
  }

  /**
   * Returns the uppermost shape that contains a point or has a keypoint there (within a layer, the smallest); otherwise
   * the nearest shape within `radius`. `dot`: radius of a keypoint. `among`: uuids of the shapes to consider; all by
   * default.
   */
  at(point: Point, radius: number, dot = radius, among?: ReadonlySet<string>): Shape | null {
    return this.allAt(point, radius, dot, among)[0] ?? null;
  }

  /**
   * Returns all shapes that contain a point or have a keypoint there, the uppermost first; if there are none, the
   * nearest shape within `radius`. The parameters are those of `at`.
   */
  allAt(point: Point, radius: number, dot = radius, among?: ReadonlySet<string>): Shape[] {
    const { x, y } = point;
    const around = this.inOrder(widened({ minX: x, minY: y, maxX: x, maxY: y }, Math.max(radius, dot))).reverse();
    const near = around.filter(({ uuid }) => !this.locked.has(uuid) && (among?.has(uuid) ?? true));
    const isOn = (shape: Shape) => ringsContain(shape.rings, x, y) || nearestDot(shape.dots, point, dot) !== null;
    const on = near.filter(isOn);
    if (on.length > 0) return on;
    const beside = nearest(near, point, radius);
    return beside ? [beside] : [];
  }
}

const pointsOf = (ring: Ring): [x: number, y: number][] =>
  Array.from({ length: ring.length >> 1 }, (_, i) => [ring[2 * i]!, ring[2 * i + 1]!]);

/**
 * Sets `isMarked` on the shapes whose uuids are in `marked`, and clears it on all others. Changes the shapes in place,
 * because marking does not move them.
 */
export function markShapes(shapes: Iterable<Pick<Shape, "uuid" | "isMarked">>, marked: ReadonlySet<string>): void {
  for (const shape of shapes) shape.isMarked = marked.has(shape.uuid);
}

/** Returns the keypoint nearest to a point, within `radius`; of two at the same distance the one painted on top. */
export function nearestDot<T extends Point>(dots: readonly T[], { x, y }: Point, radius: number): T | null {
  let best: T | null = null;
  let least = radius;
  for (const dot of dots) {
    const distance = Math.hypot(dot.x - x, dot.y - y);
    if (distance > least) continue;
    least = distance;
    best = dot;
  }
  return best;
}

function nearest(shapes: readonly Shape[], point: Point, radius: number): Shape | null {
  let best: Shape | null = null;
  let least = radius;
  for (const shape of shapes) {
    const distance = distanceTo(shape, point, radius);
    if (distance > least) continue;
    least = distance;
    best = shape;
  }
  return best;
}

function distanceTo(shape: Shape, { x, y }: Point, radius: number): number {
  const hit = hitTest(shape.rings, x, y, { vertex: 0, outline: radius });
  const outline = hit?.kind === "outline" ? hit.distance : Number.POSITIVE_INFINITY;
  return Math.min(outline, ...shape.lines.map(([a, b]) => segmentDistance(a.x, a.y, b.x, b.y, x, y)));
}
