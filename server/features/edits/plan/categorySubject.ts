import { planCategory } from "./planCategory";
import type { PlannedSubject } from "./subject";

export const categorySubject: PlannedSubject<"category"> = {
  categoriesFor: ({ target }) => ({ read: [target], locked: [target] }),

  laterOf: ({ target }, { categories }) => categories.get(target)?.later,

  plan(edit, _image, snapshot, author) {
    const { state, fields } = planCategory(edit, snapshot, author);
    const { revision } = state.row;
    return { action: "modify", fields, raise: () => ++state.row.revision, revision, categoryId: edit.target };
  },
};
