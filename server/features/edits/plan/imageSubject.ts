import { planImage } from "./planImage";
import type { PlannedSubject } from "./subject";

export const imageSubject: PlannedSubject<"image"> = {
  categoriesFor: ({ after }) => ({ read: after.labels ?? [], locked: [] }),

  laterOf: ({ image_id }, { images }) => images.get(image_id)?.later,

  plan(edit, image, snapshot, author) {
    const fields = planImage(edit, image, snapshot, author);
    return { action: "modify", fields, raise: () => image.revision, revision: image.revision, categoryId: 0 };
  },
};
