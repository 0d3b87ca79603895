import type { Annotation } from "../../../../shared/entities/annotation";

/** Results of `numbersOf`. Annotations and ids of deleted ones change together, and the table is immutable. */
const known = new WeakMap<ReadonlyMap<string, Annotation>, ReadonlyMap<string, number>>();

/**
 * Returns the numbers of the annotations by uuid: their places, from 1, in the order in which the image's annotations
 * were stored. Deleted ones keep theirs, so that a number never moves to another annotation. Annotations that are not
 * stored yet have the next numbers.
 */
export function numbersOf({
  annotations,
  deletedIds,
}: {
  annotations: ReadonlyMap<string, Annotation>;
  deletedIds: ReadonlySet<number>;
}): ReadonlyMap<string, number> {
  const found = known.get(annotations);
  if (found) return found;
  const ids = [...annotations.values()].flatMap(({ id }) => id ?? []);
  const places = new Map([...ids, ...deletedIds].sort((a, b) => a - b).map((id, index) => [id, index + 1]));
  let next = places.size;
  const numbers = new Map<string, number>();
  for (const { uuid, id } of annotations.values()) numbers.set(uuid, (id !== null && places.get(id)) || ++next);
  known.set(annotations, numbers);
  return numbers;
}
