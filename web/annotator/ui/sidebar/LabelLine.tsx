import { memo } from "react";
import type { SceneCategory } from "../../document/document";
import { type Labels, lockOf } from "../../document/labelMode";
import { counted } from "../../document/stepNames";
import { useMayEdit } from "../../editor/context";
import classes from "../common/Annotator.module.css";

interface Props {
  category: SceneCategory;
  count: number;
  ticked: boolean;
  /** Digit key that ticks the category, or null. */
  digit: number | null;
  isCurrent: boolean;
  /** True if Tab reaches this line. */
  isReachable: boolean;
  labels: Labels;
}

/** Check box of a category. A category with annotations is always ticked; a press explains why. */
export const LabelLine = memo(function LabelLine(props: Props) {
  const { category, count, ticked, digit, isCurrent, isReachable, labels } = props;
  const { id, name, color } = category;
  const mayEdit = useMayEdit();
  const lock = lockOf({ count });
  return (
    <label className={classes.label} data-label={id} data-current={isCurrent || undefined} title={lock ?? name}>
      <input
        type="checkbox"
        checked={ticked}
        aria-disabled={lock !== null || !mayEdit || undefined}
        aria-description={lock ?? undefined}
        aria-keyshortcuts={digit === null ? undefined : String(digit)}
        tabIndex={isReachable ? 0 : -1}
        onFocus={() => labels.select(id)}
        onChange={() => labels.toggle(id)}
      />
      <span className={classes.swatch} style={{ background: color }} />
      <span className={classes.name}>{name}</span>
      {count > 0 && <span className={classes.dim}>{counted(count)}</span>}
      {digit !== null && (
        <kbd className={classes.digit} aria-hidden>
          {digit}
        </kbd>
      )}
    </label>
  );
});
