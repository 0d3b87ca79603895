import { moveStored } from "../../../shared/edits/moves/storedMove";
import type { Rings } from "../../../shared/entities/shape";
import { sentRings } from "../annotations/rows/annotationRow";
import type { ServerEdit } from "../annotations/rows/serverEdit";
import type { Snapshot } from "./plan/snapshot";
import type { ShapesAhead } from "./readAhead";

/**
 * Returns the edits with the outlines of moved shapes before and after the move. An edit keeps its `move` if the shape
 * at that point of the batch is not the one that was moved. `ahead`: moves that were made before the transaction.
 */
export function restoreMoves(
  edits: readonly ServerEdit[],
  { annotations }: Snapshot,
  ahead: ShapesAhead,
): readonly ServerEdit[] {
  if (!edits.some(({ move }) => move)) return edits;
  /** Outlines after the edits so far, by uuid of the annotation. */
  const drawn = new Map<string, Rings | null>();
  return edits.map((edit) => {
    if (edit.subject !== "annotation") return edit;
    const { move, target } = edit;
    if (!move) {
      if (edit.after.rings !== undefined) drawn.set(target, edit.after.rings);
      return edit;
    }
    const row = annotations.get(target)?.row;
    const known = ahead.get(target);
    const isKnown = known !== undefined && known.move === move && known.shape === row?.shape && !drawn.has(target);
    const before = isKnown ? known.before : (drawn.get(target) ?? (row ? sentRings(row) : null));
    const after = isKnown ? known.after : moveStored(before, move);
    if (!after) return edit;
    drawn.set(target, after);
    const { move: _, ...rest } = edit;
    return { ...rest, before: { ...edit.before, rings: before }, after: { ...edit.after, rings: after } };
  });
}
