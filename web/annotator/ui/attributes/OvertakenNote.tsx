import { t } from "@lingui/core/macro";
import classes from "./Attributes.module.css";

interface Props {
  /** The other user's value; empty for none. */
  value: string;
  /** True if the next Enter replaces the value. */
  isAsked: boolean;
  onReplace: () => void;
  onKeep: () => void;
}

/** Note below a field that another user has changed the value which the typed text would replace. */
export function OvertakenNote({ value, isAsked, onReplace, onKeep }: Props) {
  const other = value === "" ? "–" : value;
  return (
    <div className={classes.overtaken} data-asked={isAsked || undefined}>
      <span role="status">
        {isAsked ? t`Enter again replaces “${{ value: other }}”` : t`Changed meanwhile: ${{ value: other }}`}
      </span>
      <span className={classes.choices}>
        <Choice text={t`Replace it`} onClick={onReplace} />
        <Choice text={t`Keep it`} onClick={onKeep} />
      </span>
    </div>
  );
}

/** Button that leaves the focus in the field. */
const Choice = ({ text, onClick }: { text: string; onClick: () => void }) => (
  <button type="button" className={classes.choice} onMouseDown={(event) => event.preventDefault()} onClick={onClick}>
    {text}
  </button>
);
