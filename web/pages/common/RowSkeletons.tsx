import { Skeleton } from "@mantine/core";
import classes from "./RowSkeletons.module.css";

interface Props {
  count?: number;
  /** Height of a row in CSS pixels. */
  height?: number;
  className?: string | undefined;
}

/** Placeholder rows while a list is loading, of the same height as the real rows: a name, a detail, and a command. */
export function RowSkeletons({ count = 6, height = 40, className }: Props) {
  return (
    <div className={className} aria-hidden>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all placeholders are the same
        <div key={index} className={classes.row} style={{ height }}>
          <Skeleton height={12} width={`${18 + ((index * 7) % 12)}%`} />
          <Skeleton height={10} width="24%" />
          <Skeleton height={12} width={18} ml="auto" />
        </div>
      ))}
    </div>
  );
}
