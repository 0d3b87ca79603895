import { Skeleton } from "@mantine/core";
import type { CSSProperties } from "react";
import classes from "./cards.module.css";

interface Props {
  count?: number;
  height?: number;
  /** Class and style of the grid that the cards will be in. */
  grid?: string | undefined;
  style?: CSSProperties;
}

/** Placeholder cards while a list is loading, of the same size as the real cards. */
export function CardSkeletons({ count = 8, height = 300, grid = classes.grid, style }: Props) {
  return (
    <div className={grid} style={style} aria-hidden>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all placeholders are the same
        <div key={index} className={classes.waiting} style={{ height }}>
          <Skeleton className={classes.waitingImage} radius={0} />
          <Skeleton height={12} width="62%" />
          <Skeleton height={10} width="40%" />
        </div>
      ))}
    </div>
  );
}
