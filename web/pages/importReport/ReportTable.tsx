import { t } from "@lingui/core/macro";
import { Table, Text } from "@mantine/core";
import type { Json } from "../../../shared/entities/scalars";
import { numberText } from "../../languages/formats";
import classes from "./ReportTable.module.css";
import { type ReportLine, reportSections } from "./report";

/** Table with an import's report: what was created, matched and skipped, and why, with expandable examples. */
export function ReportTable({ report }: { report: Record<string, Json> }) {
  return (
    <div className={classes.report}>
      {reportSections(report).map(({ title, lines }) => (
        <section key={title}>
          <Text size="sm" fw={600} component="h3" m={0}>
            {title}
          </Text>
          <Table verticalSpacing={3} horizontalSpacing={0} withRowBorders={false} fz="sm">
            <Table.Tbody>
              {lines.map((line) => (
                <Line key={line.text} {...line} />
              ))}
              {lines.length === 0 && <Line text={t`None`} count={0} examples={[]} />}
            </Table.Tbody>
          </Table>
        </section>
      ))}
    </div>
  );
}

function Line({ text, count, examples }: ReportLine) {
  const more = count - examples.length;
  const [list, rest] = [examples.join(", "), numberText(more)];
  return (
    <Table.Tr>
      <Table.Td>
        {examples.length === 0 ? (
          text
        ) : (
          <details>
            <summary className={classes.summary}>{text}</summary>
            <Text size="xs" c="dimmed" className={classes.examples}>
              {more > 0 ? t`${list} and ${rest} more` : list}
            </Text>
          </details>
        )}
      </Table.Td>
      <Table.Td className={classes.count}>{numberText(count)}</Table.Td>
    </Table.Tr>
  );
}
