import type { Rings } from "../../entities/shape";
import { translateRings } from "../../geometry/polygons";
import type { AnnotationEdit, Edit } from "../edit";

/**
 * The form in which an edit that only moves a shape may be sent: `after.rings` is the distance by which `before.rings`
 * are moved, which halves the size of the edit. Servers of earlier versions refuse this form.
 */
export interface Moved {
  moved: [x: number, y: number];
}

/** Distances by edit, as each edit is both written to the journal and sent. Null for an edit that moves nothing. */
const distances = new WeakMap<AnnotationEdit, Moved["moved"] | null>();

/** Returns an edit in this form if the distance gives exactly the same shape; otherwise the unchanged edit. */
export function shortenMove(edit: Edit): unknown {
  if (edit.subject !== "annotation" || !edit.before.rings || !edit.after.rings) return edit;
  const known = distances.get(edit);
  const moved = known === undefined ? distanceOf(edit) : known;
  if (known === undefined) distances.set(edit, moved);
  return moved ? { ...edit, after: { ...edit.after, rings: { moved } } } : edit;
}

/** Returns a sent edit with the moved shape in place of the distance; any other value unchanged. */
export function restoreMove(sent: unknown): unknown {
  const after = fieldOf(sent, "after");
  const before = fieldOf(fieldOf(sent, "before"), "rings");
  const rings = fieldOf(after, "rings");
  if (!isMoved(rings) || !isRings(before)) return sent;
  const [x, y] = rings.moved;
  return { ...Object(sent), after: { ...Object(after), rings: translateRings(before, x, y) } };
}

export const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;

export function isMoved(value: unknown): value is Moved {
  const moved = fieldOf(value, "moved");
  return Array.isArray(moved) && moved.length === 2 && moved.every((part) => Number.isFinite(part));
}

const isRings = (value: unknown): value is Rings =>
  Array.isArray(value) &&
  value.every(
    (polygon) => Array.isArray(polygon) && polygon.every((ring) => Array.isArray(ring) && ring.every(isNumber)),
  );

const isNumber = (value: unknown): boolean => typeof value === "number";

function distanceOf({ before, after }: AnnotationEdit): Moved["moved"] | null {
  const [from, to] = [before.rings, after.rings];
  if (!from || !to) return null;
  const [x0, y0] = from[0]?.[0] ?? [];
  const [x1, y1] = to[0]?.[0] ?? [];
  if (x0 === undefined || y0 === undefined || x1 === undefined || y1 === undefined) return null;
  const exact: Moved["moved"] = [x1 - x0, y1 - y0];
  // The coordinates of the moved shape are rounded sums, so the exact difference may not be the distance of the move,
  // which has few decimals.
  const rounded: Moved["moved"] = [Math.round(exact[0] * 1e6) / 1e6, Math.round(exact[1] * 1e6) / 1e6];
  return [rounded, exact].find(([x, y]) => isMovedBy(from, to, x, y)) ?? null;
}

const isMovedBy = (from: Rings, to: Rings, x: number, y: number): boolean =>
  from.length === to.length &&
  from.every((polygon, i) => {
    const other = to[i]!;
    return polygon.length === other.length && polygon.every((ring, k) => isRingMovedBy(ring, other[k]!, x, y));
  });

function isRingMovedBy(from: readonly number[], to: readonly number[], x: number, y: number): boolean {
  if (from.length !== to.length) return false;
  for (let i = 0; i < from.length; i++) if (from[i]! + (i % 2 === 0 ? x : y) !== to[i]) return false;
  return true;
}
