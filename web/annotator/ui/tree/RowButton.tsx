import type { ComponentType, MouseEvent } from "react";
import classes from "../common/Annotator.module.css";

interface Props {
  label: string;
  icon: ComponentType<{ size?: number }>;
  onClick: () => void;
  /** True if the button is visible only while pointer or focus is in the row. */
  isQuiet?: boolean;
  /** True if there is no room for the button on touch screens, where buttons are larger. */
  isForMouse?: boolean;
  /** True if Tab reaches the button: only in the selected row, so that users do not tab through hundreds. */
  isReachable: boolean;
}

/**
 * Small button in a row of the tree; pressing it does not select the row. A plain element instead of a Mantine
 * component, because hundreds are mounted and unmounted while scrolling.
 */
export function RowButton({ label, icon: Icon, onClick, isQuiet, isForMouse, isReachable }: Props) {
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
      data-mouse={isForMouse || undefined}
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
