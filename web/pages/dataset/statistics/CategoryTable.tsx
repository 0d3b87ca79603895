import { t } from "@lingui/core/macro";
import { Table } from "@mantine/core";
import type { CategoryStatistics } from "../../../../shared/entities/statistics";
import { durationText } from "../../../components/durationText";
import { numberText } from "./numberText";
import classes from "./Statistics.module.css";

/** Expandable table with all numbers of each category. */
export function CategoryTable({ categories }: { categories: readonly CategoryStatistics[] }) {
  return (
    <details>
      <summary className={classes.summary}>{t`Categories as a table`}</summary>
      <Table.ScrollContainer minWidth={380} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table fz="sm" verticalSpacing={3} horizontalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t`Category`}</Table.Th>
              {[t`Annotations`, t`Images`, t`Mean area (px)`, t`Time per annotation`].map((name) => (
                <Table.Th key={name} className={classes.count}>
                  {name}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {categories.map(({ id, name, annotations, images, area, milliseconds }) => (
              <Table.Tr key={id}>
                <Table.Td>{name}</Table.Td>
                <Table.Td className={classes.count}>{numberText(annotations)}</Table.Td>
                <Table.Td className={classes.count}>{numberText(images)}</Table.Td>
                <Table.Td className={classes.count}>{area ? numberText(Math.round(area)) : ""}</Table.Td>
                <Table.Td className={classes.count}>
                  {milliseconds && annotations ? durationText(milliseconds / annotations) : ""}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </details>
  );
}
