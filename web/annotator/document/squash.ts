import type { Edit } from "../../../shared/edits/edit";
import { same } from "../../../shared/edits/same";
import { subjectOf } from "../../../shared/edits/subject";

/**
 * Squashes consecutive modifications of the same subject into one, with the values before the first and after the last.
 * Fields that end with their original value are left out, and so are edits that then change nothing.
 */
export function squashEdits(edits: readonly Edit[]): Edit[] {
  const all: Edit[] = [];
  for (const edit of edits) {
    const last = all.at(-1);
    if (last && isChange(last) && isChange(edit) && subjectOf(last) === subjectOf(edit))
      all.splice(-1, 1, squashTwo(last, edit));
    else all.push(edit);
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
