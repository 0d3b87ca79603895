import { t } from "@lingui/core/macro";
import { Skeleton } from "@mantine/core";
import classes from "./AnnotatorSkeleton.module.css";

const ROWS = [72, 48, 60, 84, 56];
const BUTTONS = 16;

/** The annotator's bar, canvas and panel without content, while an image is loading. */
export function AnnotatorSkeleton() {
  return (
    <div className={classes.frame} role="progressbar" aria-label={t`Loading`}>
      <div className={classes.bar}>
        {Array.from({ length: BUTTONS }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: all placeholders are the same
          <Skeleton key={index} width={20} height={20} radius="sm" />
        ))}
      </div>
      <div className={classes.stage} />
      <div className={classes.panel}>
        <Skeleton width="70%" height={16} />
        <Skeleton height={28} mt={24} mb={8} />
        {ROWS.map((width) => (
          <Skeleton key={width} width={`${width}%`} height={12} mt={14} />
        ))}
      </div>
    </div>
  );
}
