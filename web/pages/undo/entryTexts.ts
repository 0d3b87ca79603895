import type { MessageDescriptor } from "@lingui/core";
import { msg, plural, t } from "@lingui/core/macro";
import type { Instance, UndoEntry, UndoType } from "../../../shared/api/undo";
import { i18n } from "../../languages/i18n";
import type { Outcome } from "../../queries/undo";

/** Texts about things in the trash. */

/** Returns a row's key, unique among all kinds. It changes if the thing is restored and deleted again. */
export const keyOf = ({ instance, id, date }: Pick<UndoEntry, "instance" | "id" | "date">): string =>
  `${instance} ${id} ${date}`;

/** Returns an entry's kind and name, e.g. "image street.jpg" or "annotation 12". */
export const titleOf = ({ instance, id, name }: UndoEntry): string =>
  `${kindText(instance)} ${name === "-" ? id : name}`;

const KINDS: Record<UndoType, MessageDescriptor> = {
  all: msg`all`,
  annotation: msg`annotation`,
  category: msg`category`,
  dataset: msg`dataset`,
  image: msg`image`,
  import: msg({ message: "import", context: "noun" }),
};

export const kindText = (kind: UndoType): string => i18n._(KINDS[kind]);

/** Returns what is deleted together with one or several things of a kind. */
export function consequenceOf(instance: Instance, count: number): string {
  switch (instance) {
    case "annotation":
      return plural(count, {
        one: "The history of the annotation will be deleted as well.",
        other: "The history of the annotations will be deleted as well.",
      });
    case "category":
      return t`Only a category that no annotation uses and no image is labelled with can be deleted.`;
    case "dataset":
      return plural(count, {
        one: "The images of the dataset will be deleted with their files, annotations and exports. Other files in the folder are kept.",
        other:
          "The images of the datasets will be deleted with their files, annotations and exports. Other files in the folder are kept.",
      });
    case "image":
      return plural(count, {
        one: "The files of the image, the annotations and their history will be deleted as well.",
        other: "The files of the images, the annotations and their history will be deleted as well.",
      });
    case "import":
      return plural(count, {
        one: "The annotations of the import will be deleted, except those that were changed later.",
        other: "The annotations of the imports will be deleted, except those that were changed later.",
      });
  }
}

/** Returns e.g. "1 category, 2 datasets", sorted by kind. */
export function countsOf(entries: readonly UndoEntry[]): string {
  const counts = new Map<Instance, number>();
  for (const { instance } of entries) counts.set(instance, (counts.get(instance) ?? 0) + 1);
  const sorted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([instance, count]) => countOf(instance, count)).join(", ");
}

function countOf(instance: Instance, count: number): string {
  switch (instance) {
    case "annotation":
      return plural(count, { one: "# annotation", other: "# annotations" });
    case "category":
      return plural(count, { one: "# category", other: "# categories" });
    case "dataset":
      return plural(count, { one: "# dataset", other: "# datasets" });
    case "image":
      return plural(count, { one: "# image", other: "# images" });
    case "import":
      return plural(count, { one: "# import", other: "# imports" });
  }
}

/** Returns the text of the toast after something was restored or deleted. */
export function doneText({ done, continuesAsTask }: Outcome, verb: "was restored" | "was deleted"): string {
  const [first] = done;
  const what = done.length === 1 && first ? titleOf(first) : countsOf(done);
  const subject = `${what[0]?.toUpperCase()}${what.slice(1)}`;
  const text =
    verb === "was restored"
      ? plural(done.length, { one: `${subject} was restored.`, other: `${subject} were restored.` })
      : plural(done.length, { one: `${subject} was deleted.`, other: `${subject} were deleted.` });
  return continuesAsTask ? t`${text} The rest continues as a task.` : text;
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
  const list = names.slice(0, NAMED).join(", ");
  return more > 0 ? t`${list} and ${more} more` : list;
}
