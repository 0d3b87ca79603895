import type { Change, Edit } from "../../../shared/edits/edit";

/** local: a new edit of the user. undo: the undo or redo of an edit. remote: an event or response from the server. */
export type Origin = "local" | "undo" | "remote";

/** A change of the document, as it is announced to the listeners. */
export interface DocumentChange {
  origin: Origin;
  /** The edits behind a local change; empty for remote ones. */
  edits: readonly Edit[];
  /** Uuids of annotations that were created, modified or deleted. */
  annotations: ReadonlySet<string>;
  /** True if a category has changed. */
  categories: boolean;
  /** Names of the users who deleted annotations, by uuid, if the server has sent the names. */
  deletedBy?: ReadonlyMap<string, string>;
}

/** Returns the announcement of changes received from the server. */
export function remoteChange(changes: readonly Change[]): DocumentChange {
  const deletions = changes.filter(({ subject, action }) => subject === "annotation" && action === "delete");
  const deletedBy = new Map(deletions.map(({ subject_id, user }) => [subject_id, user]));
  return { origin: "remote", edits: [], ...touchedBy(changes), deletedBy };
}

/** Returns the annotations that changes touch, and whether they touch a category. */
export function touchedBy(
  changes: readonly Pick<Change, "subject" | "subject_id">[],
): Pick<DocumentChange, "annotations" | "categories"> {
  const annotations = changes.filter(({ subject }) => subject === "annotation");
  return {
    annotations: new Set(annotations.map(({ subject_id }) => subject_id)),
    categories: changes.some(({ subject }) => subject === "category"),
  };
}
