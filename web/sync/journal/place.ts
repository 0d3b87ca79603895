import type { Edit } from "../../../shared/edits/edit";
import type { Place } from "./journal";
import type { AnnotationsByUuid } from "./squash";

/** The parts of a scene that a place is made from. */
interface Source {
  dataset: { name: string };
  image: { path: string; width: number; height: number };
  categories: readonly { id: number; name: string }[];
}

/** Returns names for the ids in edits: of the image, and of the categories that they mention. */
export function placeOf(
  { dataset, image, categories }: Source,
  edits: readonly Edit[],
  annotations?: AnnotationsByUuid,
): Place {
  const mentioned = new Set(edits.flatMap((edit) => numbersIn(edit)));
  for (const { category_id } of annotations?.values() ?? []) if (category_id !== undefined) mentioned.add(category_id);
  const names = categories.filter(({ id }) => mentioned.has(id)).map(({ id, name }) => [id, name] as const);
  const { path, width, height } = image;
  return { dataset: dataset.name, path, width, height, categories: Object.fromEntries(names) };
}

function numbersIn(edit: Edit): number[] {
  switch (edit.subject) {
    case "annotation":
      return [edit.before.category_id, edit.after.category_id].filter((id) => id !== undefined);
    case "image":
      return [...(edit.before.labels ?? []), ...(edit.after.labels ?? [])];
    case "category":
      return [edit.target];
    case "comment":
      return [];
  }
}
