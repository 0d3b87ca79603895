import { t } from "@lingui/core/macro";
import { Table, Text } from "@mantine/core";
import type { Statistics } from "../../../../shared/entities/statistics";
import { ninthsOf } from "./ninthsOf";
import { numberText, shareText } from "./numberText";
import classes from "./Statistics.module.css";

/** Heat map of object positions: the stronger a cell's colour, the more bounding boxes have their centre there. */
export function HeatMap({ positions }: { positions: Statistics["positions"] }) {
  const { columns, counts } = positions;
  const most = Math.max(1, ...counts);
  const ninths = ninthsOf(positions);
  const total = ninths.flat().reduce((sum, count) => sum + count, 0);
  if (total === 0)
    return (
      <Text size="sm" c="dimmed">
        {t`No objects yet.`}
      </Text>
    );
  return (
    <div className={classes.heat}>
      <svg viewBox={`0 0 ${columns} ${positions.rows}`} className={classes.map} aria-hidden>
        {counts.map((count, cell) => (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a cell is identified by its position
            key={cell}
            x={cell % columns}
            y={Math.floor(cell / columns)}
            width={1}
            height={1}
            fillOpacity={Math.sqrt(count / most)}
          >
            {count > 0 && <title>{numberText(count)}</title>}
          </rect>
        ))}
      </svg>
      <Table fz="sm" verticalSpacing={3} w="auto">
        <Table.Caption>{t`Share of objects in each ninth`}</Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Td />
            {[t`Left`, t`Middle`, t`Right`].map((name) => (
              <Table.Th key={name}>{name}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {[t`Top`, t`Middle`, t`Bottom`].map((name, row) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{name}</Table.Th>
              {ninths[row]?.map((count, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a cell is identified by its position
                <Table.Td key={column} className={classes.count}>
                  {shareText(count, total)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
