import type { Edit } from "../../../../shared/edits/edit";
import { type Field, fieldsOf, keysOf } from "../../../../shared/edits/fields";
import { conflictingFields } from "../../../../shared/edits/merge";
import { same } from "../../../../shared/edits/same";
import type { Later } from "./snapshot";

/**
 * The fields of an edit that somebody else changed after the revision its maker saw. A field that has the wanted value
 * already is no conflict. Where history does not tell all that happened since (pruned, or a mass write), a field is in
 * conflict when it is not what the maker saw. So it is where nothing happened since: a client may have raised the base
 * over a change that it did not show, and would overwrite that silently.
 */
export function conflictsOf(edit: Edit, stored: object, later: Later, client: string | null): Field[] {
  const isBehind = edit.base < later.revision;
  if (!isBehind && !saysWhatWasSeen(edit, client)) return [];
  const since = later.changes.filter((change) => change.revision > edit.base);
  const told = conflictingFields(edit, since, client);
  const isWhole = isBehind && isComplete(edit, since.length, later.revision);
  return fieldsOf(edit).filter((field) => {
    if (edit.action === "modify" && agree(edit.after, stored, keysOf(edit.subject, field))) return false;
    if (told.includes(field)) return true;
    return !isWhole && !agree(edit.before, stored, keysOf(edit.subject, field));
  });
}

/** The server's own calls (they have no client) make their edits on what is stored, whatever they say was before. */
const saysWhatWasSeen = ({ action }: Edit, client: string | null): boolean => action === "modify" && client !== null;

/** An image's revision counts its annotations' changes too, so that nothing can be told from the number. */
function isComplete(edit: Edit, told: number, revision: number): boolean {
  return edit.subject !== "image" && told === revision - edit.base;
}

/** Returns true if all keys that the edit gives have the stored value. Keys it leaves out agree. */
function agree(given: object, stored: object, keys: readonly string[]): boolean {
  const [mine, theirs] = [given as Record<string, unknown>, stored as Record<string, unknown>];
  return keys.every((key) => !Object.hasOwn(mine, key) || same(mine[key], theirs[key]));
}
