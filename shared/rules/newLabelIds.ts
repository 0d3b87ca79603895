import type { KeypointDefinition } from "../entities/keypoint";

/** Highest id of a new label. */
export const MAX_LABEL_ID = 2 ** 30;

/**
 * Returns a function that gives an id to a label new to a category, by its name. Browsers and the server do so without
 * coordination, and two clients that add the same name at once choose the same id. A removed label of that name comes
 * back with its id and points; otherwise the id is a hash of the name, or the next one that is free.
 */
export function newLabelIds({ labels, removed }: Pick<KeypointDefinition, "labels" | "removed">) {
  const known = new Map<string, number>();
  for (const { name, id } of removed) if (!known.has(name)) known.set(name, id);
  const taken = new Set([...labels, ...removed].map((label) => label.id));
  return (name: string): number => {
    const back = known.get(name);
    if (back !== undefined) return back;
    let id = hash(name);
    while (taken.has(id)) id = (id % MAX_LABEL_ID) + 1;
    taken.add(id);
    known.set(name, id);
    return id;
  };
}

/**
 * Returns 1 to MAX_LABEL_ID: the upper 30 bits of FNV-1a (Fowler, Noll, Vo: draft-eastlake-fnv) of the UTF-16 units.
 */
function hash(name: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) value = Math.imul(value ^ name.charCodeAt(i), 0x01000193);
  return (value >>> 2) + 1;
}
