import type { Edit } from "../../../shared/edits/edit";

/** Coordinates that are stored at once, or one edit with more: the database and this thread are others' as well. */
const GROUP_COORDINATES = 50_000;

/**
 * Cuts edits into groups that are stored one after another: at least one, which may be empty. `begins`: true for the
 * place of an edit before which a cut may be.
 */
export function groupsOf<E extends Edit>(edits: readonly E[], begins: (place: number) => boolean = () => true): E[][] {
  const groups: E[][] = [[]];
  let size = 0;
  for (const [place, edit] of edits.entries()) {
    const own = coordinatesOf(edit);
    if (size > 0 && size + own > GROUP_COORDINATES && begins(place)) {
      groups.push([]);
      size = 0;
    }
    groups.at(-1)?.push(edit);
    size += own;
  }
  return groups;
}

function coordinatesOf(edit: Edit): number {
  if (edit.subject !== "annotation") return 0;
  let sum = 0;
  for (const polygons of [edit.before.rings, edit.after.rings])
    for (const polygon of polygons ?? []) for (const ring of polygon) sum += ring.length;
  return sum;
}
