import type { Attributes } from "./attributeValues";

/** Attributes that hold an annotation's place in the stack, and its group. */
export const ORDER_KEY = "z_order";
export const GROUP_KEY = "group_id";

/** The part of an annotation that decides its place in the stack and its group. */
export interface Stacked {
  attributes?: Attributes | undefined;
}

/** Returns an annotation's layer: 0 unless it was brought to the front (above) or sent to the back (below). */
export function layerOf({ attributes }: Stacked): number {
  const layer = attributes?.[ORDER_KEY];
  return typeof layer === "number" && Number.isFinite(layer) ? layer : 0;
}

/** Returns the group of an annotation; null for none. */
export function groupOf({ attributes }: Stacked): number | null {
  const group = attributes?.[GROUP_KEY];
  return typeof group === "number" && group !== 0 ? group : null;
}

/** Returns an id that no group of the annotations has. */
export function newGroup(annotations: Iterable<Stacked>): number {
  let highest = 0;
  for (const annotation of annotations) highest = Math.max(highest, groupOf(annotation) ?? 0);
  return Math.floor(highest) + 1;
}
