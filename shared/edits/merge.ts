import type { Change, Edit } from "./edit";
import { type Field, fieldsOf } from "./fields";

/** The fields of a stored change that merging needs. */
export type LaterChange = Pick<Change, "subject" | "action" | "fields" | "client" | "edit">;

/**
 * Returns the fields of `edit` that were changed after the revision it is based on, without its author's knowledge.
 * `later` has the changes of the same subject with a revision above `edit.base`. `client` sends the edit.
 */
export function conflictingFields(edit: Edit, later: readonly LaterChange[], client: string | null): Field[] {
  const changed = new Set(unknownChanges(edit, later, client).flatMap(fieldsOf));
  return fieldsOf(edit).filter((field) => changed.has(field));
}

/** Returns the changes that an edit's author does not know: others than those of `client` and those that it names. */
export function unknownChanges<C extends Pick<Change, "client" | "edit">>(
  { knows }: Edit,
  later: readonly C[],
  client: string | null,
): C[] {
  const known = new Set(knows);
  const isOwn = (change: C) => client !== null && change.client === client;
  return later.filter((change) => !isOwn(change) && !(change.edit !== null && known.has(change.edit)));
}
