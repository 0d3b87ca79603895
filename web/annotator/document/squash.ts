import type { Edit } from "../../../shared/edits/edit";
import { same } from "../../../shared/edits/same";
import { subjectOf } from "../../../shared/edits/subject";

/**
 * Squashes modifications of the same subject into one, with the values before the first and after the last, unless the
 * subject is created or deleted in between. Fields that end with their original value are left out, and so are edits
 * without any remaining field.
 */
export function squashEdits(edits: readonly Edit[]): Edit[] {
  const all: Edit[] = [];
  const newest = new Map<string, number>();
  for (const edit of edits) {
    const at = newest.get(subjectOf(edit));
    const last = at === undefined ? undefined : all[at];
    if (at !== undefined && last && isChange(last) && isChange(edit)) all[at] = squashTwo(last, edit);
    else newest.set(subjectOf(edit), all.push(edit) - 1);
  }
  return all.filter((edit) => !isChange(edit) || Object.keys(edit.after).length > 0);
}

const isChange = (edit: Edit): boolean => edit.action === "modify";

function squashTwo(first: Edit, second: Edit): Edit {
  const before = { ...second.before, ...first.before };
  const after = { ...first.after, ...second.after };
  const changed = Object.entries(after).filter(([field, value]) => !same(value, Reflect.get(before, field)));
  const fields = changed.map(([field]) => field);
  const pick = (from: object) => Object.fromEntries(fields.map((field) => [field, Reflect.get(from, field)]));
  return { ...second, before: pick(before), after: pick(after) };
}
