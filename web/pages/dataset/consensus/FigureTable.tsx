import { Table } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./Consensus.module.css";

interface Props {
  /** Names of the columns; the first is that of the rows' names. */
  columns: readonly string[];
  rows: readonly { key: number | string; cells: readonly ReactNode[] }[];
}

/** Table of figures: a name in the first column, numbers in the others. */
export function FigureTable({ columns: [first, ...columns], rows }: Props) {
  return (
    <Table.ScrollContainer minWidth={380} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table fz="sm" verticalSpacing={4} horizontalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{first}</Table.Th>
            {columns.map((name) => (
              <Table.Th key={name} className={classes.number}>
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ key, cells: [name, ...cells] }) => (
            <Table.Tr key={key}>
              <Table.Td>{name}</Table.Td>
              {cells.map((cell, i) => (
                <Table.Td key={columns[i]} className={classes.number}>
                  {cell}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
