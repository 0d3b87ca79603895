import type { Subject } from "../../../../shared/edits/fields";
import type { EditOf } from "../../../../shared/edits/subject";
import type { Json } from "../../../../shared/entities/scalars";
import type { ServerEditOf } from "../../annotations/rows/serverEdit";
import type { Author } from "./author";
import type { HistoryEntry } from "./plan";
import type { AnnotationState, ImageState, Later, Snapshot } from "./snapshot";

/** One kind of subject, as the snapshot loader and the planner use it. */
export interface PlannedSubject<S extends Subject> {
  /** Returns the categories that planning an edit needs. Reads the edit's annotation from the snapshot. */
  categoriesFor(edit: EditOf<S>, snapshot: Snapshot): NeededCategories;
  /** Returns the later changes of an edit's subject; undefined if the user may not see the subject. */
  laterOf(edit: EditOf<S>, snapshot: Snapshot): Later | undefined;
  /** Applies an edit to the snapshot. Throws Refusal or Conflict, and then leaves the snapshot unchanged. */
  plan(edit: ServerEditOf<S>, image: ImageState, snapshot: Snapshot, author: Author): Outcome;
}

/** Ids of the categories to read. `locked`: those of them to lock, since the edit may change their rows. */
export interface NeededCategories {
  read: readonly number[];
  locked: readonly number[];
}

/** Planned outcome of an edit of any subject. */
export interface Outcome {
  action: HistoryEntry["action"];
  /** New values of changed fields; undefined if nothing changed. */
  fields: { [key: string]: Json } | undefined;
  /**
   * Raises the subject's revision by one and returns it. For an image, only returns it, since any edit of the image or
   * its annotations has raised it already.
   */
  raise: () => number;
  /** Subject's revision before the edit. */
  revision: number;
  /** Category that the edit's event names; 0 if none. */
  categoryId: number;
  seen?: boolean;
  annotation?: AnnotationState;
  /** State before the edit, to be added to the history first. */
  baseline?: HistoryEntry;
}
