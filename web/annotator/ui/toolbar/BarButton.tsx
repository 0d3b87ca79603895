import { ActionIcon, Tooltip } from "@mantine/core";
import type { ComponentType, MouseEvent } from "react";
import { useIsAway } from "../../../components/offline/away";
import { needsServer as needsServerText } from "../../../components/offline/NeedsServer";
import { useViewToggles } from "../../editor/context";
import type { KeySet } from "../../keyboard/keyReading";
import { ariaKeys, showKeys, withKeys } from "../../keyboard/shortcuts";
import classes from "../common/Annotator.module.css";

interface Props {
  label: string;
  /** Shortcut keys of the same command. */
  keys?: readonly KeySet[];
  icon: ComponentType<{ size?: number }>;
  onClick: (event: MouseEvent) => void;
  active?: boolean;
  disabled?: boolean;
  /** Reason why the button appears and is announced as disabled. A press still calls `onClick`. */
  disabledReason?: string;
  /** True for a command that is impossible while the server cannot be reached. */
  needsServer?: boolean;
  color?: string;
  /** Name by which the tour finds the button. */
  tour?: string;
}

/** Toolbar button with a tooltip of its name and keys. A press keeps the focus on the canvas. */
export function BarButton({ label, keys, icon: Icon, onClick, active, needsServer, color, tour, ...props }: Props) {
  const isBlocked = useIsAway() && needsServer === true;
  const disabled = isBlocked || props.disabled;
  const { keys: showsKeys } = useViewToggles();
  const letter = keys?.[0] && letterOf(keys[0]);
  const disabledReason = isBlocked ? needsServerText() : props.disabledReason;
  return (
    <Tooltip
      label={`${withKeys(label, keys)}${disabledReason ? ` – ${disabledReason}` : ""}`}
      position="right"
      openDelay={300}
    >
      <ActionIcon
        size="var(--bar-button)"
        variant={active ? "filled" : "subtle"}
        color={color ?? (active ? undefined : "gray")}
        aria-label={label}
        aria-description={disabledReason}
        aria-keyshortcuts={ariaKeys(keys ?? [])}
        aria-pressed={active}
        data-tour={tour}
        data-disabled={disabled || undefined}
        data-lacks={disabledReason ? true : undefined}
        aria-disabled={disabled || disabledReason !== undefined}
        onMouseDown={(event) => event.preventDefault()}
        onClick={(event) => !disabled && onClick(event)}
      >
        <Icon size={18} />
        {showsKeys && letter && (
          <span className={classes.keyLetter} aria-hidden>
            {letter}
          </span>
        )}
      </ActionIcon>
    </Tooltip>
  );
}

/** Short forms of the keys that are pressed together with a letter. */
const WITH: Record<string, string> = { shift: "⇧", control: "^", alt: "⌥" };

/** Returns a key combination in the space of a button's corner. */
const letterOf = (keys: KeySet): string => keys.map((key) => WITH[key] ?? showKeys([key])).join("");
