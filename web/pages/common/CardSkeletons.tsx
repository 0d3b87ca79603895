import { Skeleton } from "@mantine/core";
import classes from "./cards.module.css";

/** Placeholder cards while a list is loading, of the same size as the real cards. */
export function CardSkeletons({ count = 8, height = 246 }: { count?: number; height?: number }) {
  return (
    <div className={classes.grid} aria-hidden>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all placeholders are the same
        <Skeleton key={index} height={height} radius="md" />
      ))}
    </div>
  );
}
