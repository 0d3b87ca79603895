import { t } from "@lingui/core/macro";
import { agoText } from "../../../components/agoText";
import { serverText } from "../../../languages/serverText";
import { versionsOf } from "../../../sync/journal/squash";
import { type Conflict, isBarred, refusalIn } from "../../../sync/journal/syncState";

/** Returns a category's name; undefined if the category is unknown. */
export type NameOf = (categoryId: number) => string | undefined;

const fieldTexts = (): Readonly<Record<string, string>> => ({
  shape: t`outline`,
  category: t`category`,
  metadata: t`metadata`,
  attributes: t`attributes`,
  color: t`color`,
  keypoints: t`keypoints`,
  labels: t`labels`,
  done: t`stage`,
  look: t`color`,
});

/** Returns a short name of the subject in conflict, such as "person 12". All conflicts are of one subject. */
export function titleOf(conflicts: readonly Conflict[], nameOf: NameOf): string {
  const { edit, place } = conflicts[0]!;
  if (edit.subject === "image") return t`Image`;
  if (edit.subject === "comment") return t`Comment`;
  const names = (id: unknown) => (typeof id === "number" ? (nameOf(id) ?? place?.categories[id]) : undefined);
  if (edit.subject === "category") return t`Category ${{ name: names(edit.target) ?? edit.target }}`;
  const { mine, theirs, base } = versionsOf(conflicts);
  const name = names((theirs ?? mine ?? base)?.category_id) ?? t`Annotation`;
  return typeof theirs?.id === "number" ? `${name} ${theirs.id}` : name;
}

/** Returns a sentence about the difference of the two versions: the fields, who changed them and when. */
export function reasonOf(conflicts: readonly Conflict[]): string {
  const last = conflicts.at(-1)!;
  if (isBarred(conflicts) || last.fields.length === 0) return serverText((refusalIn(conflicts) ?? last).reason);
  const { mine, theirs } = versionsOf(conflicts);
  const by = last.changed_by ?? t`Another user`;
  const when = last.changed_at ? agoText(last.changed_at) : null;
  if (!theirs && last.edit.subject === "annotation")
    return when
      ? t`${by} deleted the annotation ${when}; you changed it.`
      : t`${by} deleted the annotation; you changed it.`;
  const fields = [...new Set(conflicts.flatMap((conflict) => conflict.fields))];
  const what = fields.map((field) => fieldTexts()[field] ?? field).join(", ");
  if (!mine)
    return when
      ? t`${by} changed the annotation ${when}; you deleted it.`
      : t`${by} changed the annotation; you deleted it.`;
  return when ? t`${by} changed the ${what} ${when}; so did you.` : t`${by} changed the ${what}; so did you.`;
}
