import { t } from "@lingui/core/macro";
import { Table, Text } from "@mantine/core";
import type { SizeBin, Statistics } from "../../../../shared/entities/statistics";
import { numberText, shareText } from "./numberText";
import classes from "./Statistics.module.css";

/** Objects by the area of their shapes: COCO's three sizes, and a histogram with its numbers as a table. */
export function Sizes({ sizes }: { sizes: Statistics["sizes"] }) {
  const { small, medium, large, histogram } = sizes;
  const total = small + medium + large;
  const groups: [string, string, number][] = [
    [t`Small`, t`below 32² px`, small],
    [t`Medium`, t`32² to 96² px`, medium],
    [t`Large`, t`96² px and more`, large],
  ];
  return (
    <>
      <dl className={classes.numbers}>
        {groups.map(([name, range, count]) => (
          <div key={name}>
            <dt>
              {name} <span className={classes.quiet}>{range}</span>
            </dt>
            <dd>
              {numberText(count)} <span className={classes.quiet}>{shareText(count, total)}</span>
            </dd>
          </div>
        ))}
      </dl>
      <Histogram bins={histogram} />
      <details>
        <summary className={classes.summary}>{t`Sizes as a table`}</summary>
        <Table fz="sm" verticalSpacing={3}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t`Side of a square of this area`}</Table.Th>
              <Table.Th className={classes.count}>{t`Objects`}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {histogram.map((bin) => (
              <Table.Tr key={bin.from}>
                <Table.Td>{rangeOf(bin)}</Table.Td>
                <Table.Td className={classes.count}>{numberText(bin.count)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </details>
    </>
  );
}

/** Histogram of sizes, hidden from screen readers because the table has the same numbers. */
function Histogram({ bins }: { bins: readonly SizeBin[] }) {
  const highest = Math.max(1, ...bins.map(({ count }) => count));
  return (
    <div aria-hidden>
      <div className={classes.columns}>
        {bins.map((bin) => (
          <span key={bin.from} title={`${rangeOf(bin)}: ${numberText(bin.count)}`}>
            <span style={{ height: `${(bin.count / highest) * 100}%` }} />
          </span>
        ))}
      </div>
      <div className={classes.axis}>
        {bins.map(({ from }, at) => (
          <span key={from}>{at % 2 === 0 ? Math.sqrt(from) : ""}</span>
        ))}
      </div>
      <Text size="xs" c="dimmed" ta="center">
        {t`Side in pixels of a square of the object's area`}
      </Text>
    </div>
  );
}

function rangeOf({ from, to }: SizeBin): string {
  const least = Math.sqrt(from);
  if (to === null) return t`${least} px and more`;
  const most = Math.sqrt(to);
  return from === 0 ? t`below ${most} px` : t`${least} to ${most} px`;
}
