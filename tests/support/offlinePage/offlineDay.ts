import { applyEdit } from "../../../shared/edits/apply";
import type { AnnotationEdit } from "../../../shared/edits/edit";
import { creation, deletion, modification } from "../../../shared/edits/make";
import type { Annotation } from "../../../shared/entities/annotation";
import type { Owner } from "../../../web/io/journal/journalName";
import { uuid } from "../../../web/io/uuid";
import { syncOf } from "../../../web/sync/currentSync";

/** For each image, the uuid of each annotation that must exist in the end, with the left side of its box. */
export type Drawn = Record<number, Record<string, number>>;

const BOX = { width: 40, height: 30 };
const rings = (left: number) => [[[left, 5, left + BOX.width, 5, left + BOX.width, 35, left, 35]]];

/**
 * Makes ten edits on each image, as the annotator records them: four boxes, five moves of one box or another, and one
 * deletion. Resolves when all are in the journal.
 */
export async function drawOnEach(owner: Owner, images: readonly number[], categoryId: number): Promise<Drawn> {
  const sync = syncOf(owner);
  const drawn: Drawn = {};
  for (const image of images) {
    const after = new Map<string, Annotation>();
    const record = async (edit: AnnotationEdit | undefined) => {
      if (!edit) throw new Error("Nothing was changed.");
      const annotation = applyEdit(after.get(edit.target), edit);
      if (annotation) after.set(edit.target, annotation);
      else after.delete(edit.target);
      await sync.record([edit], after);
    };
    for (let i = 0; i < 4; i++)
      await record(creation(uuid(), image, uuid(), { category_id: categoryId, rings: rings(i * 10), isbbox: true }));
    const boxes = [...after.values()];
    for (let i = 0; i < 5; i++)
      await record(modification(uuid(), after.get(boxes[i % 3]!.uuid)!, { rings: rings(100 + i * 10) }));
    await record(deletion(uuid(), boxes[3]!));
    drawn[image] = Object.fromEntries([...after.values()].map((each) => [each.uuid, each.rings?.[0]?.[0]?.[0] ?? -1]));
  }
  return drawn;
}

/** Returns the number of edits that wait for the server, and of conflicts. */
export async function pendingEdits(owner: Owner): Promise<{ pending: number; conflicts: number }> {
  const sync = syncOf(owner);
  await sync.flush();
  const { pending, conflicts } = sync.state.getState();
  return { pending, conflicts: conflicts.length };
}

/** Sends everything. Returns the milliseconds until nothing waits any more. */
export async function sendAll(owner: Owner): Promise<number> {
  const sync = syncOf(owner);
  const began = performance.now();
  const isSent = () => {
    const { pending, phase } = sync.state.getState();
    return pending === 0 && phase === "idle";
  };
  while (!isSent()) {
    if (performance.now() - began > 20_000) throw new Error(JSON.stringify(sync.state.getState()).slice(0, 600));
    await sync.flush();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return performance.now() - began;
}
