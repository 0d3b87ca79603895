import { memo } from "react";
import type { SceneCategory } from "../../document/document";
import { type Labels, lockOf } from "../../document/labelMode";
import classes from "../common/Annotator.module.css";

interface Props {
  category: SceneCategory;
  count: number;
  ticked: boolean;
  /** The digit that ticks it, or null. */
  digit: number | null;
  isCurrent: boolean;
  /** Reached by Tab. */
  isReachable: boolean;
  labels: Labels;
}

/** A category's check box. One with annotations is ticked by them; a press says why it stays so. */
export const LabelLine = memo(function LabelLine(props: Props) {
  const { category, count, ticked, digit, isCurrent, isReachable, labels } = props;
  const { id, name, color } = category;
  const lock = lockOf({ count });
  return (
    <label className={classes.label} data-label={id} data-current={isCurrent || undefined} title={lock ?? name}>
      <input
        type="checkbox"
        checked={ticked}
        aria-disabled={lock !== null || undefined}
        aria-description={lock ?? undefined}
        aria-keyshortcuts={digit === null ? undefined : String(digit)}
        tabIndex={isReachable ? 0 : -1}
        onFocus={() => labels.select(id)}
        onChange={() => labels.toggle(id)}
      />
      <span className={classes.swatch} style={{ background: color }} />
      <span className={classes.name}>{name}</span>
      {count > 0 && <span className={classes.dim}>{count === 1 ? "1 annotation" : `${count} annotations`}</span>}
      {digit !== null && (
        <kbd className={classes.digit} aria-hidden>
          {digit}
        </kbd>
      )}
    </label>
  );
});
