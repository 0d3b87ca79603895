import type { Change, Edit } from "./edit";
import { type Field, fieldsOf } from "./fields";

/** The fields of a stored change that merging needs. */
export type LaterChange = Pick<Change, "subject" | "action" | "fields" | "client">;

/**
 * Returns the fields of `edit` that another client changed after the revision the edit is based on. `later` has the
 * changes of the same subject with a revision above `edit.base`. Changes by `client`, which sends the edit, do not
 * conflict with it.
 */
export function conflictingFields(edit: Edit, later: readonly LaterChange[], client: string | null): Field[] {
  const others = later.filter((change) => client === null || change.client !== client);
  const changed = new Set(others.flatMap(fieldsOf));
  return fieldsOf(edit).filter((field) => changed.has(field));
}
