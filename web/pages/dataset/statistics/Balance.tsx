import { Text } from "@mantine/core";
import type { CategoryStatistics } from "../../../../shared/entities/statistics";
import { balanceOf } from "./balanceOf";
import { shareText } from "./numberText";
import classes from "./Statistics.module.css";

/** Balance of annotations between categories: one stacked bar, and a summary in words. */
export function Balance({ categories }: { categories: readonly CategoryStatistics[] }) {
  const used = categories.filter(({ annotations }) => annotations > 0);
  const total = used.reduce((sum, { annotations }) => sum + annotations, 0);
  return (
    <>
      <div className={classes.stripe} aria-hidden>
        {used.map(({ id, name, color, annotations }) => (
          <span
            key={id}
            title={`${name}: ${shareText(annotations, total)}`}
            style={{ flexGrow: annotations, background: color }}
          />
        ))}
      </div>
      <Text size="sm">{balanceOf(categories)}</Text>
    </>
  );
}
