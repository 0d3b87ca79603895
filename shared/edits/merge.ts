import type { Change, Edit } from "./edit";
import { type Field, fieldsOf } from "./fields";

/** The fields of a stored change that merging needs. */
export type LaterChange = Pick<Change, "subject" | "action" | "fields" | "client" | "edit">;

/**
 * Returns the fields of `edit` that another client changed after the revision the edit is based on. `later` has the
 * changes of the same subject with a revision above `edit.base`. Changes that the edit's author knows do not conflict
 * with it.
 */
export function conflictingFields(edit: Edit, later: readonly LaterChange[], client: string | null): Field[] {
  const others = later.filter((change) => !isKnown(change, edit, client));
  const changed = new Set(others.flatMap(fieldsOf));
  return fieldsOf(edit).filter((field) => changed.has(field));
}

/** Returns true if the author of an edit knows a change: it was made by the same `client`, or the edit names it. */
export function isKnown(change: Pick<Change, "client" | "edit">, { knows }: Edit, client: string | null): boolean {
  if (client !== null && change.client === client) return true;
  return change.edit !== null && (knows?.includes(change.edit) ?? false);
}
