import type { ComponentType, MouseEvent } from "react";
import classes from "../common/Annotator.module.css";

interface Props {
  label: string;
  icon: ComponentType<{ size?: number }>;
  onClick: () => void;
  /** Seen only while the pointer or the focus is in the line. */
  isQuiet?: boolean;
  /** Reached by Tab: in the selected line only, so that one does not walk through hundreds. */
  isReachable: boolean;
}

/**
 * A small button in a line of the tree; a press on it does not select the line. A plain element, as there are hundreds
 * and they come and go while one scrolls.
 */
export function RowButton({ label, icon: Icon, onClick, isQuiet, isReachable }: Props) {
  const handleClick = (event: MouseEvent) => {
    event.stopPropagation();
    onClick();
  };
  return (
    <button
      type="button"
      tabIndex={isReachable ? 0 : -1}
      className={classes.rowButton}
      data-quiet={isQuiet || undefined}
      title={label}
      aria-label={label}
      onMouseDown={(event) => event.preventDefault()}
      onDoubleClick={(event) => event.stopPropagation()}
      onClick={handleClick}
    >
      <Icon size={14} />
    </button>
  );
}
