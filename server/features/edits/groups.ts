import { coordinateCount } from "../../../shared/edits/moves/storedMove";
import type { ServerEdit } from "../annotations/rows/serverEdit";

/**
 * Maximum number of coordinates stored at once, so that other requests get their share of the database and of this
 * thread, and that the shapes of a group can usually be measured without a separate thread.
 */
const GROUP_COORDINATES = 40_000;

/**
 * Splits edits into groups that are stored one after another. Returns at least one group, which may be empty; a single
 * large edit may exceed the limit. `mayBegin` returns true for the index of an edit that may start a group.
 */
export function groupsOf<E extends ServerEdit>(
  edits: readonly E[],
  mayBegin: (index: number) => boolean = () => true,
): E[][] {
  const groups: E[][] = [[]];
  let size = 0;
  for (const [index, edit] of edits.entries()) {
    const own = coordinatesOf(edit);
    if (size > 0 && size + own > GROUP_COORDINATES && mayBegin(index)) {
      groups.push([]);
      size = 0;
    }
    groups.at(-1)?.push(edit);
    size += own;
  }
  return groups;
}

/**
 * Returns the number of coordinates that an edit stores or replaces, whichever is larger. Moves count half, since their
 * shapes are read and measured before the transaction (readAhead.ts).
 */
function coordinatesOf(edit: ServerEdit): number {
  if (edit.subject !== "annotation") return 0;
  if (edit.move) return edit.move.count / 2;
  return Math.max(coordinateCount(edit.before.rings ?? []), coordinateCount(edit.after.rings ?? []));
}
