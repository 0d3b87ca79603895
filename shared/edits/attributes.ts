import type { Annotation } from "../entities/annotation";
import type { AnnotationChange, AnnotationEdit } from "./edit";
import { rebaseMetadata } from "./rebaseMetadata";
import { same } from "./same";

type Attributes = Annotation["attributes"];
type AttributesEdit = Pick<AnnotationEdit, "before" | "after">;

/**
 * Returns the attributes of an annotation after a modification. Only the values that the modification changes are
 * replaced, so values that other users have changed meanwhile stay. Without `before`, the edit's values replace all.
 * Returns an empty object if the modification changes no attributes.
 */
export function mergedAttributes(
  { before, after }: AttributesEdit,
  now: Partial<Pick<Annotation, "attributes">>,
): Pick<AnnotationChange, "attributes"> {
  if (!after.attributes) return {};
  const stored = now.attributes ?? {};
  return {
    attributes: rebaseMetadata((before.attributes ?? stored) as Attributes, after.attributes as Attributes, stored),
  };
}

/** Returns true if a value that the edit changes has been changed differently since. */
export function attributesClash({ before, after }: AttributesEdit, stored: Attributes): boolean {
  const [from, to] = [before.attributes ?? stored, after.attributes ?? stored];
  const names = new Set([...Object.keys(from), ...Object.keys(to)]);
  const isLike = (a: object, b: object, name: string) =>
    Object.hasOwn(a, name) === Object.hasOwn(b, name) && same(Reflect.get(a, name), Reflect.get(b, name));
  return [...names].some((name) => !isLike(from, to, name) && !isLike(stored, from, name) && !isLike(stored, to, name));
}

/**
 * Returns attributes that another user has stored, with the values of modifications on top that the server does not
 * have yet, oldest first. Returns null if one of them clashes with the stored values.
 */
export function attributesBeneath(stored: Attributes, edits: readonly AttributesEdit[]): Attributes | null {
  let now = stored;
  for (const edit of edits) {
    if (attributesClash(edit, now)) return null;
    now = mergedAttributes(edit, { attributes: now }).attributes ?? now;
  }
  return now;
}

/** Returns true if the values that a modification changed are still the ones that it set. */
export function attributesHold({ before, after }: AttributesEdit, now: Attributes): boolean {
  return same(mergedAttributes({ before, after }, { attributes: now }).attributes ?? now, now);
}
