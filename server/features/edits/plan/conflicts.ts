import { attributesClash } from "../../../../shared/edits/attributes";
import type { Edit } from "../../../../shared/edits/edit";
import { type Field, fieldsOf, keysOf } from "../../../../shared/edits/fields";
import { conflictingFields } from "../../../../shared/edits/merge";
import { same } from "../../../../shared/edits/same";
import type { Annotation } from "../../../../shared/entities/annotation";
import type { Later } from "./snapshot";

/**
 * Returns the fields of an edit that were changed after its base revision without its author's knowledge. A field that
 * already has the new value is no conflict. If history is incomplete (pruned, or a bulk write), a field conflicts when
 * it differs from the edit's `before`. The same test applies when no later change exists: a client may have raised its
 * base past a change that it never showed, and would overwrite that change silently.
 */
export function conflictsOf(edit: Edit, stored: object, later: Later, client: string | null): Field[] {
  const isBehind = edit.base < later.revision;
  if (!isBehind && !hasTrustedBefore(edit, client)) return [];
  const since = later.changes.filter((change) => change.revision > edit.base);
  const conflicting = conflictingFields(edit, since, client);
  const hasFullHistory = isBehind && isComplete(edit, since.length, later.revision);
  return fieldsOf(edit).filter((field) => {
    // Attributes are merged name by name, so only those that the edit changes can conflict.
    if (edit.subject === "annotation" && edit.action === "modify" && field === "attributes")
      return attributesClash(edit, (stored as Pick<Annotation, "attributes">).attributes);
    if (edit.action === "modify" && agree(edit.after, stored, keysOf(edit.subject, field))) return false;
    if (conflicting.includes(field)) return true;
    return !hasFullHistory && !agree(edit.before, stored, keysOf(edit.subject, field));
  });
}

/**
 * Returns true if the edit's `before` has the values that its author saw. Calls without a client take `before` from the
 * stored rows.
 */
const hasTrustedBefore = ({ action }: Edit, client: string | null): boolean => action === "modify" && client !== null;

/**
 * Returns true if `count` changes cover all revisions since the base. Returns false for images, whose revision also
 * counts edits of annotations.
 */
function isComplete(edit: Edit, count: number, revision: number): boolean {
  return edit.subject !== "image" && count === revision - edit.base;
}

/** Returns true if the given keys have the stored values. Keys that the edit leaves out count as equal. */
function agree(edited: object, stored: object, keys: readonly string[]): boolean {
  const [mine, theirs] = [edited as Record<string, unknown>, stored as Record<string, unknown>];
  return keys.every((key) => !Object.hasOwn(mine, key) || same(mine[key], theirs[key]));
}
