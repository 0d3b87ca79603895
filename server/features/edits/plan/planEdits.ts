import type { EditAnswer } from "../../../../shared/edits/edit";
import { unknownChanges } from "../../../../shared/edits/merge";
import { subjectIdOf } from "../../../../shared/edits/subject";
import type { AnnotationEvent } from "../../../../shared/events";
import { mayEdit } from "../../../base/permissions";
import type { ServerEdit } from "../../annotations/rows/serverEdit";
import type { Author } from "./author";
import { absentImage, Conflict, emptyPlan, type HistoryEntry, type Plan, Refusal, readOnlyImage } from "./plan";
import type { ImageState, Snapshot } from "./snapshot";
import type { Outcome } from "./subject";
import { plannedSubject } from "./subjects";

/** Plans edits in order, changing the snapshot in memory. A refused edit does not affect the others. */
export function planEdits(edits: readonly ServerEdit[], snapshot: Snapshot, author: Author): Plan {
  const plan = emptyPlan();
  for (const edit of edits) plan.answers.push(planOne(edit, snapshot, author, plan));
  return plan;
}

function planOne(edit: ServerEdit, snapshot: Snapshot, author: Author, plan: Plan): EditAnswer {
  const earlier = snapshot.earlierAnswers.get(edit.uuid);
  if (earlier && earlier.client !== author.client)
    return refused(edit.uuid, "Another client sent an edit with this uuid.");
  if (earlier) return { ...(earlier.answer as EditAnswer), uuid: edit.uuid, status: "seen" };
  const repeated = repeatOf(edit, plan);
  if (repeated) return repeated;
  const image = snapshot.images.get(edit.image_id);
  try {
    if (!image) throw absentImage();
    if (!mayEdit(author.user, image.ties)) throw readOnlyImage();
    if (edit.move) throw new Refusal("The stored shape is not the one that was moved.");
    return record(edit, image, plannedSubject(edit).plan(edit, image, snapshot, author), author, plan);
  } catch (error) {
    if (error instanceof Refusal) return { ...refused(edit.uuid, error.message), ...error.details };
    if (!(error instanceof Conflict)) throw error;
    const { fields, stored, revision, message } = error;
    const lost = { uuid: edit.uuid, status: "conflict" as const, fields, stored, revision, reason: message };
    return { ...lost, ...lastChange(edit, snapshot, author) };
  }
}

/**
 * Returns the user and time of the last change of an edit's subject that the edit's author did not know; nothing if there
 * is no history.
 */
function lastChange(edit: ServerEdit, snapshot: Snapshot, { client }: Author): Partial<EditAnswer> {
  const changes = plannedSubject(edit).laterOf(edit, snapshot)?.changes ?? [];
  const last = unknownChanges(edit, changes, client).at(-1);
  return last ? { changed_by: last.user, changed_at: last.at.toISOString() } : {};
}

export const refused = (uuid: string, reason: string): EditAnswer => ({ uuid, status: "refused", reason });

/** Returns the answer to an edit that occurs a second time in the batch. */
function repeatOf(edit: ServerEdit, plan: Plan): EditAnswer | undefined {
  const first = plan.stored.get(edit.uuid);
  if (!first) return undefined;
  const answer: EditAnswer = { ...first, status: "seen" };
  const awaiting = plan.awaitingIds.find((each) => each.answer === first);
  if (awaiting) plan.awaitingIds.push({ state: awaiting.state, answer });
  return answer;
}

/** Raises the revisions, adds history and event, and returns the answer to the edit. */
function record(edit: ServerEdit, image: ImageState, outcome: Outcome, author: Author, plan: Plan): EditAnswer {
  const { fields, annotation, baseline } = outcome;
  if (baseline) plan.history.push(baseline);
  if (fields) {
    image.revision += 1;
    image.changed.revision = true;
  }
  const answer: EditAnswer = {
    uuid: edit.uuid,
    status: outcome.seen ? "seen" : "applied",
    ...(annotation && { id: annotation.row.id || null }),
    revision: fields ? outcome.raise() : outcome.revision,
    image_revision: image.revision,
  };
  if (author.client !== null) plan.stored.set(answer.uuid, answer);
  const event = eventOf(image, outcome, author);
  if (fields) plan.events.push(event);
  const entry: HistoryEntry = {
    image_id: image.id,
    image_revision: image.revision,
    subject: edit.subject,
    subject_id: subjectIdOf(edit),
    revision: answer.revision ?? 0,
    action: outcome.action,
    fields: fields ?? {},
    edit: edit.uuid,
  };
  if (fields) plan.history.push(entry);
  if (annotation?.changed.made) plan.awaitingIds.push({ state: annotation, answer, entry, event });
  return answer;
}

/** Returns the event of an edit. If that is not of an annotation, it names none; its receivers catch up. */
function eventOf(image: ImageState, { action, annotation, categoryId }: Outcome, author: Author): AnnotationEvent {
  const { id = 0, uuid = "" } = annotation?.row ?? {};
  return {
    // A client that reads no changes must not take a comment for an annotation.
    action: annotation ? action : "modify",
    annotation: { id, image_id: image.id, category_id: categoryId, uuid },
    category_id: categoryId,
    uuid: author.client,
    image_id: image.id,
    image_revision: image.revision,
  };
}
