import type { EditAnswer, RefusalCode } from "../../../../shared/edits/edit";
import type { Field, Subject } from "../../../../shared/edits/fields";
import type { Json } from "../../../../shared/entities/scalars";
import type { AnnotationEvent } from "../../../../shared/events";
import { READ_ONLY } from "../../../base/errors";
import type { AnnotationState } from "./snapshot";

/** Outcomes of a batch and its planned writes, except the rows that are marked as changed in the snapshot. */
export interface Plan {
  answers: EditAnswer[];
  history: HistoryEntry[];
  /** Responses to store, by the edit's uuid, so that a repeated batch receives them again. */
  stored: Map<string, EditAnswer>;
  /** Events for the images' rooms, sent after the commit. */
  events: AnnotationEvent[];
  /** Responses, history and events of new annotations, whose ids are known only after the insert. */
  awaitingIds: { state: AnnotationState; answer: EditAnswer; entry?: HistoryEntry; event?: AnnotationEvent }[];
}

export interface HistoryEntry {
  image_id: number;
  image_revision: number | null;
  subject: Subject;
  subject_id: string;
  revision: number;
  action: "create" | "modify" | "delete";
  fields: { [key: string]: Json };
  edit: string | null;
}

export const emptyPlan = (): Plan => ({ answers: [], history: [], stored: new Map(), events: [], awaitingIds: [] });

/** Error for an edit that is not stored. Its message is shown to the user. */
export class Refusal extends Error {
  override name = "Refusal";

  constructor(
    message: string,
    /** `revision` 0 means that the server has no such subject, not even a deleted one. */
    readonly details: { code?: RefusalCode; revision?: 0 } = {},
  ) {
    super(message);
  }
}

/** Refusals of edits that name something absent, or something that the user may not see or not change. */
export const absentImage = () => new Refusal("This image does not exist.", { code: "image_not_found" });
export const readOnlyImage = () => new Refusal(READ_ONLY, { code: "read_only" });
export const absentAnnotation = () =>
  new Refusal("This annotation does not exist in this image.", { code: "not_found", revision: 0 });
export const absentComment = () =>
  new Refusal("This comment does not exist in this image.", { code: "not_found", revision: 0 });
export const absentCategory = () => new Refusal("This category does not exist.", { code: "not_found" });
export const deletedCategory = () => new Refusal("This category was deleted.", { code: "not_found" });

/**
 * Error for an edit that lost a race. `stored` is the current version, null if it is deleted. `revision` is that of the
 * subject; a client that keeps its own version sends the edit again with this base.
 */
export class Conflict extends Error {
  override name = "Conflict";
  readonly stored: Json;

  constructor(
    readonly fields: Field[],
    stored: object | null,
    readonly revision: number,
  ) {
    super("Another user changed this meanwhile.");
    this.stored = stored as Json;
  }
}
