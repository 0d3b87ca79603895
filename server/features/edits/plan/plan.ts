import type { EditAnswer, RefusalCode } from "../../../../shared/edits/edit";
import type { Field } from "../../../../shared/edits/fields";
import type { Json } from "../../../../shared/entities/scalars";
import type { AnnotationEvent } from "../../../../shared/events";
import type { AnnotationState } from "./snapshot";

/** Planned writes of a batch, besides the changed states of its snapshot, and its outcomes. */
export interface Plan {
  answers: EditAnswer[];
  history: HistoryEntry[];
  /** Outcomes to remember, so that a repeated batch gets them again. */
  stored: EditAnswer[];
  /** For those who have the images open, once all is committed. */
  events: AnnotationEvent[];
  /** Outcomes, history and events of annotations that get their number only when they are stored. */
  awaitingIds: { state: AnnotationState; answer: EditAnswer; entry?: HistoryEntry; event?: AnnotationEvent }[];
}

export interface HistoryEntry {
  image_id: number;
  image_revision: number | null;
  subject: "annotation" | "image" | "category";
  subject_id: string;
  revision: number;
  action: "create" | "modify" | "delete";
  fields: { [key: string]: Json };
  edit: string | null;
}

export const emptyPlan = (): Plan => ({ answers: [], history: [], stored: [], events: [], awaitingIds: [] });

/** The reason why an edit is not stored, for the user. */
export class Refusal extends Error {
  override name = "Refusal";

  constructor(
    message: string,
    /** `revision` 0: the server has no such subject, not even a deleted one. */
    readonly details: { code?: RefusalCode; revision?: 0 } = {},
  ) {
    super(message);
  }
}

/** Refusals of edits that name something absent or invisible. */
export const absentImage = () => new Refusal("This image does not exist.", { code: "image_not_found" });
export const absentAnnotation = () =>
  new Refusal("This annotation does not exist in this image.", { code: "not_found", revision: 0 });
export const absentCategory = () => new Refusal("This category does not exist.", { code: "not_found" });

/**
 * Somebody else was there first; `stored` is the live version, null when it is deleted, and `revision` the subject's, on
 * which whoever keeps the own version builds.
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
