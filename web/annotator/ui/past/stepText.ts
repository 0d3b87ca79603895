import { plural, t } from "@lingui/core/macro";
import type { HistoryStep } from "../../../../shared/api/history";
import { stageText } from "../../../components/stages/stageTexts";

const fieldTexts = (): Readonly<Record<string, string>> => ({
  shape: t`outline`,
  category: t`category`,
  metadata: t`metadata`,
  attributes: t`attributes`,
  color: t`color`,
  keypoints: t`keypoints`,
  "image labels": t`labels of the image`,
  "image metadata": t`metadata of the image`,
  "image done": t`stage of the image`,
  "comment create": t`new comment`,
  "comment delete": t`deleted comment`,
  "comment text": t`text of a comment`,
  "comment resolved": t`thread resolved or reopened`,
  "category look": t`color of the category`,
  "category keypoints": t`keypoints of the category`,
  "category attributes": t`attributes of the category`,
});

export const fieldsText = (fields: readonly string[]): string =>
  fields.map((field) => fieldTexts()[field] ?? field).join(", ");

/** Returns what a step without annotations has changed, with the stage that the image has since. */
function otherText({ fields, stage }: HistoryStep): string {
  const others = fieldsText(fields.filter((field) => stage === null || field !== "image done"));
  const name = stage && stageText(stage);
  return [name && t`stage: ${name}`, others].filter(Boolean).join(", ");
}

/** Returns what a step did: "2 created, 3 changed (outline)". */
export function stepSummary(step: HistoryStep): string {
  const { kind, created, modified, deleted, fields } = step;
  if (kind === "bulk" && created > 0)
    return plural(created, { one: "# annotation imported or copied", other: "# annotations imported or copied" });
  if (kind === "bulk") return t`Changed in bulk, or no longer recorded`;
  const changed = plural(modified, { one: "# changed", other: "# changed" });
  const parts = [
    created > 0 && plural(created, { one: "# created", other: "# created" }),
    deleted > 0 && plural(deleted, { one: "# deleted", other: "# deleted" }),
    modified > 0 && (fields.length > 0 ? `${changed} (${fieldsText(fields)})` : changed),
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(", ") : otherText(step);
}
