import { t } from "@lingui/core/macro";
import { Table } from "@mantine/core";
import { type Field, keysOf } from "../../../../shared/edits/fields";
import { STAGES, type Stage } from "../../../../shared/entities/image";
import { stageText } from "../../../components/stages/stageTexts";
import type { Versions } from "../../../sync/journal/squash";
import type { Conflict } from "../../../sync/journal/syncState";
import type { NameOf } from "./conflictText";

/** Keys of the values that the picture shows. */
const DRAWN = ["rings", "isbbox", "keypoints"];

interface Props {
  conflicts: readonly Conflict[];
  versions: Versions;
  nameOf: NameOf;
}

/** Table of the values in conflict that cannot be drawn: category, color, labels, metadata. */
export function ConflictValues({ conflicts, versions: { base, mine, theirs }, nameOf }: Props) {
  const { subject } = conflicts[0]!.edit;
  const fields = [...new Set(conflicts.flatMap((conflict) => conflict.fields))];
  const keys = fields.flatMap((field) => keysOf(subject, field as Field)).filter((key) => !DRAWN.includes(key));
  const rows = keys.filter((key) => mine && theirs && key in mine);
  if (rows.length === 0) return null;
  return (
    <Table withTableBorder fz="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th />
          <Table.Th>{t`Before`}</Table.Th>
          <Table.Th>{t`Yours`}</Table.Th>
          <Table.Th>{t`Theirs`}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((key) => (
          <Table.Tr key={key}>
            <Table.Th>{names()[key] ?? key}</Table.Th>
            {[base, mine, theirs].map((version, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns are fixed
              <Table.Td key={column} style={{ overflowWrap: "anywhere" }}>
                {valueText(key, version?.[key], nameOf)}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

const names = (): Readonly<Record<string, string>> => ({
  category_id: t`Category`,
  color: t`Color`,
  labels: t`Labels`,
  done: t`Done`,
  stage: t`Stage`,
  metadata: t`Metadata`,
  attributes: t`Attributes`,
  keypoint_labels: t`Keypoints`,
  keypoint_edges: t`Edges`,
  keypoint_colors: t`Keypoint colors`,
  keypoint_label_ids: t`Keypoint ids`,
});

const isStage = (value: unknown): value is Stage => STAGES.some((stage) => stage === value);

function valueText(key: string, value: unknown, nameOf: NameOf): string {
  if (value === undefined) return "–";
  if (key === "category_id" && typeof value === "number") return nameOf(value) ?? String(value);
  if (key === "stage" && isStage(value)) return stageText(value);
  if (key === "labels" && Array.isArray(value))
    return value.map((id: unknown) => (typeof id === "number" && nameOf(id)) || String(id)).join(", ") || t`none`;
  return typeof value === "string" ? value : JSON.stringify(value);
}
