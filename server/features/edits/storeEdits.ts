import { sql, type Transaction } from "kysely";
import type { EditAnswer } from "../../../shared/edits/edit";
import type { AnnotationEvent } from "../../../shared/events";
import { codeOf } from "../../base/errors";
import type { Schema } from "../../db/schema";
import type { ServerEdit } from "../annotations/rows/serverEdit";
import { leavesShape, ShapeNotRead } from "../annotations/rows/unreadShape";
import { measureTogether } from "../measuring/measuring";
import type { Measurable } from "../measuring/question";
import { loadSnapshot } from "./loadSnapshot";
import type { Author } from "./plan/author";
import type { Plan } from "./plan/plan";
import { planEdits, refused } from "./plan/planEdits";
import type { Snapshot } from "./plan/snapshot";
import type { ShapesAhead } from "./readAhead";
import { restoreMoves } from "./restoreMoves";
import { writePlan } from "./writePlan";

/**
 * Responses in the order of the edits, and what is to be done after the commit: events to send to the images' rooms.
 */
export interface Stored {
  answers: EditAnswer[];
  events: AnnotationEvent[];
  /** Ids of the changed datasets. */
  datasets: Set<number>;
  /** Uuids of new and changed comments. */
  comments: string[];
}

/**
 * Stores edits in a transaction. All edits of annotations, images, categories and comments take this path.
 *
 * Edits are planned in memory on a snapshot and then written in a few statements, which is many times faster than one
 * savepoint and four statements per edit; the image locks keep other writers out. If the database still refuses a
 * statement (a uuid created in two images at once, or a value that only PostgreSQL rejects), it rolls back to the
 * savepoint and stores each edit separately, so that one bad edit does not block the others. `imageIds`: further images
 * to lock together with those of the edits. `ahead`: shapes that were read before the transaction.
 */
export async function storeEdits(
  trx: Transaction<Schema>,
  author: Author,
  edits: readonly ServerEdit[],
  imageIds: Iterable<number> = [],
  ahead: ShapesAhead = new Map(),
): Promise<Stored> {
  await sql`savepoint batch`.execute(trx);
  try {
    return await storeTogether(trx, author, edits, imageIds, ahead);
  } catch (error) {
    if (!isRefusedValue(error)) throw error;
    await sql`rollback to savepoint batch`.execute(trx);
    return storeOneByOne(trx, author, edits, ahead);
  }
}

/** Returns the responses that `storeEdits` would give, unless the database refuses a value, and stores nothing. */
export async function checkEdits(
  trx: Transaction<Schema>,
  author: Author,
  edits: readonly ServerEdit[],
  imageIds: Iterable<number>,
): Promise<EditAnswer[]> {
  const { plan } = await planTogether(trx, author, edits, imageIds, new Map(), edits.every(leavesShape));
  return plan.answers;
}

async function storeTogether(
  trx: Transaction<Schema>,
  author: Author,
  edits: readonly ServerEdit[],
  imageIds: Iterable<number>,
  ahead: ShapesAhead,
): Promise<Stored> {
  const { snapshot, plan } = await planTogether(trx, author, edits, imageIds, ahead, edits.every(leavesShape));
  await writePlan(trx, snapshot, plan, author);
  const changed = [...snapshot.images.values()].filter((image) => image.changed.revision);
  const comments = [...snapshot.comments.values()].filter(({ changed: { made, row } }) => made || row);
  return {
    answers: plan.answers,
    events: plan.events,
    datasets: new Set(changed.map((image) => image.dataset_id)),
    comments: comments.map(({ row }) => row.uuid),
  };
}

async function planTogether(
  trx: Transaction<Schema>,
  author: Author,
  edits: readonly ServerEdit[],
  imageIds: Iterable<number>,
  ahead: ShapesAhead,
  withoutShapes: boolean,
): Promise<{ snapshot: Snapshot; plan: Plan }> {
  const snapshot = await loadSnapshot(trx, author.user, edits, imageIds, { ahead, withoutShapes });
  const restored = restoreMoves(edits, snapshot, ahead);
  measureTogether(drawnShapes(restored, snapshot));
  try {
    return { snapshot, plan: planEdits(restored, snapshot, author) };
  } catch (error) {
    if (!(error instanceof ShapeNotRead)) throw error;
    return planTogether(trx, author, edits, imageIds, ahead, false);
  }
}

/** Returns the outlines in the edits that have to be measured. */
function drawnShapes(edits: readonly ServerEdit[], { images }: Snapshot): Measurable[] {
  return edits.flatMap((edit) => {
    const image = images.get(edit.image_id);
    if (!image || edit.subject !== "annotation" || edit.rawShape || !edit.after.rings) return [];
    return [{ rings: edit.after.rings, width: image.width, height: image.height }];
  });
}

async function storeOneByOne(
  trx: Transaction<Schema>,
  author: Author,
  edits: readonly ServerEdit[],
  ahead: ShapesAhead,
): Promise<Stored> {
  const stored: Stored = { answers: [], events: [], datasets: new Set(), comments: [] };
  for (const edit of edits) {
    await sql`savepoint one`.execute(trx);
    try {
      const { answers, events, datasets, comments } = await storeTogether(trx, author, [edit], [], ahead);
      stored.answers.push(...answers);
      stored.events.push(...events);
      for (const id of datasets) stored.datasets.add(id);
      stored.comments.push(...comments);
    } catch (error) {
      if (!isRefusedValue(error)) throw error;
      await sql`rollback to savepoint one`.execute(trx);
      stored.answers.push(refused(edit.uuid, "The database cannot store this edit."));
    }
    await sql`release savepoint one`.execute(trx);
  }
  return stored;
}

/**
 * Returns true for invalid values and violated constraints, but not for a lost connection, a full disk or a deadlock.
 */
const isRefusedValue = (error: unknown): boolean => /^(22...|23...|54...)$/.test(codeOf(error));
