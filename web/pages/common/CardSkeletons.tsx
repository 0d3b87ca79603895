import { Skeleton } from "@mantine/core";
import classes from "./cards.module.css";

/** Cards while the list is on its way, of the size of the real ones. */
export function CardSkeletons({ count = 8, height = 246 }: { count?: number; height?: number }) {
  return (
    <div className={classes.grid} aria-hidden>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <Skeleton key={index} height={height} radius="md" />
      ))}
    </div>
  );
}
