import { t } from "@lingui/core/macro";
import { Button, Text } from "@mantine/core";
import { useState } from "react";
import { numberText } from "./numberText";
import classes from "./Statistics.module.css";

export interface Bar {
  id: number;
  name: string;
  color: string;
  value: number;
}

interface Props {
  bars: readonly Bar[];
  /** Returns the text that is read out for a bar. */
  readOut: (name: string, value: number) => string;
  onChoose: (id: number) => void;
}

/** Number of bars shown at first. */
const FIRST = 12;

/** One bar per category, longest first. A click opens the category's images. */
export function Bars({ bars, readOut, onChoose }: Props) {
  const [isWhole, setWhole] = useState(false);
  if (bars.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t`No categories.`}
      </Text>
    );
  const sorted = [...bars].sort((one, other) => other.value - one.value);
  const count = sorted.length;
  const longest = Math.max(1, sorted[0]?.value ?? 0);
  return (
    <>
      <ul className={classes.bars}>
        {sorted.slice(0, isWhole ? undefined : FIRST).map(({ id, name, color, value }) => (
          <li key={id}>
            <button
              type="button"
              className={classes.bar}
              onClick={() => onChoose(id)}
              aria-label={readOut(name, value)}
              title={t`Show images with ${name}`}
            >
              <span className={classes.barName}>{name}</span>
              <span className={classes.track}>
                <span style={{ width: `${(value / longest) * 100}%`, background: color }} />
              </span>
              <span className={classes.count}>{numberText(value)}</span>
            </button>
          </li>
        ))}
      </ul>
      {sorted.length > FIRST && (
        <Button variant="subtle" onClick={() => setWhole(!isWhole)}>
          {isWhole ? t`Show fewer` : t`Show all ${count}`}
        </Button>
      )}
    </>
  );
}
