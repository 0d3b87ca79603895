import { agoText } from "../../../components/agoText";
import { versionsOf } from "../../../sync/journal/squash";
import { type Conflict, isOfMissingImage } from "../../../sync/journal/syncState";

/** Returns a category's name; undefined if the category is unknown. */
export type NameOf = (categoryId: number) => string | undefined;

const FIELD_TEXTS: Readonly<Record<string, string>> = {
  shape: "outline",
  category: "category",
  metadata: "metadata",
  attributes: "attributes",
  color: "color",
  keypoints: "keypoints",
  labels: "labels",
  done: "mark as done",
  look: "color",
};

/** Returns a short name of the subject in conflict, such as "person 12". All conflicts are of one subject. */
export function titleOf(conflicts: readonly Conflict[], nameOf: NameOf): string {
  const { edit, place } = conflicts[0]!;
  if (edit.subject === "image") return "Image";
  const names = (id: unknown) => (typeof id === "number" ? (nameOf(id) ?? place?.categories[id]) : undefined);
  if (edit.subject === "category") return `Category ${names(edit.target) ?? edit.target}`;
  const { mine, theirs, base } = versionsOf(conflicts);
  const name = names((theirs ?? mine ?? base)?.category_id) ?? "Annotation";
  return typeof theirs?.id === "number" ? `${name} ${theirs.id}` : name;
}

/** Returns a sentence about the difference of the two versions: the fields, who changed them and when. */
export function reasonOf(conflicts: readonly Conflict[]): string {
  const last = conflicts.at(-1)!;
  if (isOfMissingImage(conflicts) || last.fields.length === 0) return last.reason;
  const { mine, theirs } = versionsOf(conflicts);
  const by = last.changed_by ?? "Another user";
  const when = last.changed_at ? ` ${agoText(last.changed_at)}` : "";
  if (!theirs && last.edit.subject === "annotation") return `${by} deleted the annotation${when}; you changed it.`;
  const fields = [...new Set(conflicts.flatMap((conflict) => conflict.fields))];
  const what = fields.map((field) => FIELD_TEXTS[field] ?? field).join(", ");
  if (!mine) return `${by} changed the annotation${when}; you deleted it.`;
  return `${by} changed the ${what}${when}; so did you.`;
}
