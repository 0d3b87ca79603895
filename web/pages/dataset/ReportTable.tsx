import { List, Table, Text } from "@mantine/core";
import type { Json } from "../../../shared/entities/scalars";
import { labelOf, reportLines } from "./report";

const MAX_LISTED = 50;

/** An import's report: numbers as a table, lists and reasons below them. */
export function ReportTable({ report }: { report: Record<string, Json> }) {
  const { numbers, lists } = reportLines(report);
  return (
    <>
      {numbers.length > 0 && (
        <Table withRowBorders={false} verticalSpacing={3} fz="sm">
          <Table.Tbody>
            {numbers.map(({ path, text }) => (
              <Table.Tr key={path.join(".")}>
                <Table.Td>{path.map(labelOf).join(" · ")}</Table.Td>
                <Table.Td ta="right" fw={600}>
                  {text}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {lists.map(({ path, items }) => (
        <section key={path.join(".")}>
          <Text size="sm" fw={600}>
            {path.map(labelOf).join(" · ")}
          </Text>
          <List size="xs" mah={180} style={{ overflow: "auto" }}>
            {items.slice(0, MAX_LISTED).map((item) => (
              <List.Item key={item}>{item}</List.Item>
            ))}
            {items.length > MAX_LISTED && <List.Item>and {items.length - MAX_LISTED} more</List.Item>}
          </List>
        </section>
      ))}
    </>
  );
}
