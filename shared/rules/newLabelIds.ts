import type { KeypointDefinition } from "../entities/keypoint";

/** Highest id that a new label gets. */
export const MAX_LABEL_ID = 2 ** 30;

/**
 * Ids for labels that are new to a category, by their names: browsers and the server choose them without asking each
 * other, and two that add the same name at once choose the same. A removed label of the name is that label again, with its
 * points; else the id is the name's hash, or the next one that no other label has.
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

/** 1 to MAX_LABEL_ID. FNV-1a (Fowler, Noll, Vo: draft-eastlake-fnv) of the UTF-16 units, its upper 30 bits. */
function hash(name: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) value = Math.imul(value ^ name.charCodeAt(i), 0x01000193);
  return (value >>> 2) + 1;
}
