import type { EditAnswer } from "../../../../shared/edits/edit";
import type { Json } from "../../../../shared/entities/scalars";
import type { AnnotationEvent } from "../../../../shared/events";
import type { ServerEdit } from "../../annotations/rows/serverEdit";
import type { Author } from "./author";
import { absentImage, Conflict, emptyPlan, type HistoryEntry, type Plan, Refusal } from "./plan";
import { historyFields, planAnnotation } from "./planAnnotation";
import { planCategory } from "./planCategory";
import { planImage } from "./planImage";
import type { AnnotationState, ImageState, Snapshot } from "./snapshot";

/** Planned outcome of an edit of any subject. */
interface Outcome {
  action: HistoryEntry["action"];
  subjectId: string;
  /** New values of changed fields; undefined if nothing changed. */
  fields: { [key: string]: Json } | undefined;
  /** Raises the subject's revision by one and returns it. */
  raise: () => number;
  /** Subject's revision before the edit. */
  revision: number;
  seen?: boolean;
  annotation?: AnnotationState;
}

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
    return record(edit, image, decide(edit, image, snapshot, author, plan), author, plan);
  } catch (error) {
    if (error instanceof Refusal) return { ...refused(edit.uuid, error.message), ...error.details };
    if (!(error instanceof Conflict)) throw error;
    const { fields, stored, revision, message } = error;
    return { uuid: edit.uuid, status: "conflict", fields, stored, revision, reason: message };
  }
}

export const refused = (uuid: string, reason: string): EditAnswer => ({ uuid, status: "refused", reason });

/** Returns the answer to an edit that occurs a second time in the batch. */
function repeatOf(edit: ServerEdit, plan: Plan): EditAnswer | undefined {
  const first = plan.stored.find((each) => each.uuid === edit.uuid);
  if (!first) return undefined;
  const answer: EditAnswer = { ...first, status: "seen" };
  const awaiting = plan.awaitingIds.find((each) => each.answer === first);
  if (awaiting) plan.awaitingIds.push({ state: awaiting.state, answer });
  return answer;
}

function decide(edit: ServerEdit, image: ImageState, snapshot: Snapshot, author: Author, plan: Plan): Outcome {
  if (edit.subject === "image") {
    const fields = planImage(edit, image, snapshot, author);
    return {
      action: "modify",
      subjectId: String(image.id),
      fields,
      raise: () => image.revision,
      revision: image.revision,
    };
  }
  if (edit.subject === "category") {
    const { state, fields } = planCategory(edit, snapshot, author);
    return {
      action: "modify",
      subjectId: String(edit.target),
      fields,
      raise: () => ++state.row.revision,
      revision: state.row.revision,
    };
  }
  const unlogged = snapshot.annotations.get(edit.target);
  const baseline = unlogged && !unlogged.logged ? historyFields(unlogged.row) : undefined;
  const { state, action, fields, seen } = planAnnotation(edit, image, snapshot, author);
  if (baseline && fields) logBaseline(state, baseline, plan);
  const raise = () => ++state.row.revision;
  return { action, subjectId: edit.target, fields, raise, revision: state.row.revision, seen, annotation: state };
}

/** Adds the state of a bulk-written annotation to the history, so that the values before its first edit are known. */
function logBaseline(state: AnnotationState, fields: { [key: string]: Json }, plan: Plan): void {
  state.logged = true;
  const { row } = state;
  plan.history.push({
    image_id: row.image_id,
    image_revision: null,
    subject: "annotation",
    subject_id: row.uuid,
    revision: row.revision,
    action: "create",
    fields,
    edit: null,
  });
}

/** Raises the revisions, adds history and event, and returns the answer to the edit. */
function record(edit: ServerEdit, image: ImageState, outcome: Outcome, author: Author, plan: Plan): EditAnswer {
  const { fields, annotation } = outcome;
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
  if (author.client !== null) plan.stored.push(answer);
  const event = eventOf(edit, image, outcome, author);
  if (fields) plan.events.push(event);
  const entry: HistoryEntry = {
    image_id: image.id,
    image_revision: image.revision,
    subject: edit.subject,
    subject_id: outcome.subjectId,
    revision: answer.revision ?? 0,
    action: outcome.action,
    fields: fields ?? {},
    edit: edit.uuid,
  };
  if (fields) plan.history.push(entry);
  if (annotation?.changed.made) plan.awaitingIds.push({ state: annotation, answer, entry, event });
  return answer;
}

/** Returns the event of an edit. For images and categories it names no annotation; its receivers catch up. */
function eventOf(
  edit: ServerEdit,
  image: ImageState,
  { action, annotation }: Outcome,
  author: Author,
): AnnotationEvent {
  const category_id = annotation?.row.category_id ?? (edit.subject === "category" ? edit.target : 0);
  return {
    action,
    annotation: { id: annotation?.row.id ?? 0, image_id: image.id, category_id, uuid: annotation?.row.uuid ?? "" },
    category_id,
    uuid: author.client,
    image_id: image.id,
    image_revision: image.revision,
  };
}
