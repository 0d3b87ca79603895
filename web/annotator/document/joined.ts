import type { AnnotationEdit, Edit } from "../../../shared/edits/edit";
import { same } from "../../../shared/edits/same";

/**
 * Edits with those that change the same annotation one after another made one, from before the first to after the last;
 * what ends as it began goes.
 */
export function joined(edits: readonly Edit[]): Edit[] {
  const all: Edit[] = [];
  for (const edit of edits) {
    const last = all.at(-1);
    if (last && isChange(last) && isChange(edit) && last.target === edit.target) all.splice(-1, 1, join(last, edit));
    else all.push(edit);
  }
  return all.filter((edit) => !isChange(edit) || Object.keys(edit.after).length > 0);
}

const isChange = (edit: Edit): edit is AnnotationEdit => edit.subject === "annotation" && edit.action === "modify";

function join(first: AnnotationEdit, second: AnnotationEdit): AnnotationEdit {
  const before = { ...second.before, ...first.before };
  const after = { ...first.after, ...second.after };
  const changed = Object.entries(after).filter(([field, value]) => !same(value, Reflect.get(before, field)));
  const fields = changed.map(([field]) => field);
  const pick = (from: object) => Object.fromEntries(fields.map((field) => [field, Reflect.get(from, field)]));
  return { ...second, before: pick(before), after: pick(after) };
}
