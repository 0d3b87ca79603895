import { sql, type Transaction } from "kysely";
import type { EditAnswer } from "../../../shared/edits/edit";
import type { AnnotationEvent } from "../../../shared/events";
import { codeOf } from "../../base/errors";
import type { Schema } from "../../db/schema";
import type { ServerEdit } from "../annotations/rows/serverEdit";
import { measureTogether } from "../measuring/measuring";
import type { Measurable } from "../measuring/question";
import { loadSnapshot } from "./loadSnapshot";
import type { Author } from "./plan/author";
import type { Snapshot } from "./plan/snapshot";
import { planEdits, refused } from "./plan/planEdits";
import { writePlan } from "./writePlan";

/** Outcomes in the order of the edits, and events for the images' rooms after the commit. */
export interface Stored {
  answers: EditAnswer[];
  events: AnnotationEvent[];
}

/**
 * Stores edits within a transaction: the one way by which annotations, labels and looks change, whoever asks.
 *
 * Everything is decided in memory on rows read under the images' locks, and then written in a few statements: that
 * is many times faster than a savepoint and four statements an edit, and nothing else can come between. Should the
 * database refuse a statement all the same (two images that make the same uuid at once, a value that only PostgreSQL
 * finds impossible), all of it is taken back to one savepoint and each edit is stored on its own, so that a bad edit
 * never blocks its neighbours. `imageIds`: images to lock together with those of the edits.
 */
export async function storeEdits(
  trx: Transaction<Schema>,
  author: Author,
  edits: readonly ServerEdit[],
  imageIds: Iterable<number> = [],
): Promise<Stored> {
  await sql`savepoint batch`.execute(trx);
  try {
    return await storeTogether(trx, author, edits, imageIds);
  } catch (error) {
    if (!isRefusedValue(error)) throw error;
    await sql`rollback to savepoint batch`.execute(trx);
    return storeOneByOne(trx, author, edits);
  }
}

async function storeTogether(
  trx: Transaction<Schema>,
  author: Author,
  edits: readonly ServerEdit[],
  imageIds: Iterable<number>,
): Promise<Stored> {
  const snapshot = await loadSnapshot(trx, author.user, edits, imageIds);
  measureTogether(drawnShapes(edits, snapshot));
  const plan = planEdits(edits, snapshot, author);
  await writePlan(trx, snapshot, plan, author);
  return { answers: plan.answers, events: plan.events };
}

/** The outlines that the edits bring, in images that are there. */
function drawnShapes(edits: readonly ServerEdit[], { images }: Snapshot): Measurable[] {
  return edits.flatMap((edit) => {
    const image = images.get(edit.image_id);
    if (!image || edit.subject !== "annotation" || edit.rawShape || !edit.after.rings) return [];
    return [{ rings: edit.after.rings, width: image.width, height: image.height }];
  });
}

async function storeOneByOne(trx: Transaction<Schema>, author: Author, edits: readonly ServerEdit[]): Promise<Stored> {
  const stored: Stored = { answers: [], events: [] };
  for (const edit of edits) {
    await sql`savepoint one`.execute(trx);
    try {
      const { answers, events } = await storeTogether(trx, author, [edit], []);
      stored.answers.push(...answers);
      stored.events.push(...events);
    } catch (error) {
      if (!isRefusedValue(error)) throw error;
      await sql`rollback to savepoint one`.execute(trx);
      stored.answers.push(refused(edit.uuid, "The database cannot store this edit."));
    }
    await sql`release savepoint one`.execute(trx);
  }
  return stored;
}

/** Wrong values and broken constraints; not a lost connection, a full disk or a lost race. */
const isRefusedValue = (error: unknown): boolean => /^(22...|23...|54...)$/.test(codeOf(error));
