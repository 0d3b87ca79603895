import type { Instance, UndoEntry } from "../../../shared/api/undo";
import type { Outcome } from "../../queries/undo";

/** Texts about things in the trash. */

/** Returns a row's key, unique among all kinds. It changes if the thing is restored and deleted again. */
export const keyOf = ({ instance, id, date }: Pick<UndoEntry, "instance" | "id" | "date">): string =>
  `${instance} ${id} ${date}`;

/** Returns an entry's kind and name, e.g. "image street.jpg" or "annotation 12". */
export const titleOf = ({ instance, id, name }: UndoEntry): string => `${instance} ${name === "-" ? id : name}`;

const CONSEQUENCES: Record<Instance, (thing: string) => string> = {
  annotation: (thing) => `The history of the ${thing} will be deleted as well.`,
  category: () => "Only a category that no annotation uses and no image is labelled with can be deleted.",
  dataset: (thing) =>
    `The images of the ${thing} will be deleted with their files, annotations and exports. Other files in the folder are kept.`,
  image: (thing) => `The files of the ${thing}, the annotations and their history will be deleted as well.`,
  import: (thing) => `The annotations of the ${thing} will be deleted, except those that were changed later.`,
};

/** Returns what is deleted together with one or several things of a kind. */
export const consequenceOf = (instance: Instance, count: number): string =>
  CONSEQUENCES[instance](nounOf(instance, count));

/** Returns e.g. "1 category, 2 datasets", sorted by kind. */
export function countsOf(entries: readonly UndoEntry[]): string {
  const counts = new Map<Instance, number>();
  for (const { instance } of entries) counts.set(instance, (counts.get(instance) ?? 0) + 1);
  const sorted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([instance, count]) => `${count} ${nounOf(instance, count)}`).join(", ");
}

function nounOf(instance: Instance, count: number): string {
  if (count === 1) return instance;
  return instance === "category" ? "categories" : `${instance}s`;
}

/** Returns the text of the toast after something was restored or deleted. */
export function doneText({ done, continuesAsTask }: Outcome, verb: "was restored" | "was deleted"): string {
  const [first] = done;
  const what = done.length === 1 && first ? titleOf(first) : countsOf(done);
  const text = `${what[0]?.toUpperCase()}${what.slice(1)} ${done.length === 1 ? verb : verb.replace("was", "were")}.`;
  return continuesAsTask ? `${text} The rest continues as a task.` : text;
}

const NAMED = 3;

/** Returns the reasons why some things could not be restored or deleted, one line for each reason. */
export function failedText({ failed }: Outcome, messageOf: (error: unknown) => string): string {
  const reasons = new Map<string, string[]>();
  for (const { entry, error } of failed)
    reasons.set(messageOf(error), [...(reasons.get(messageOf(error)) ?? []), titleOf(entry)]);
  return [...reasons].map(([reason, names]) => `${listOf(names)}: ${reason}`).join("\n");
}

function listOf(names: readonly string[]): string {
  const more = names.length - NAMED;
  return names.slice(0, NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
