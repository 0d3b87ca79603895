import { ActionIcon } from "@mantine/core";
import { X } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { isModifier, type KeySet, readingsOf } from "../../keyboard/keyReading";
import { showKeys } from "../../keyboard/shortcuts";
import classes from "./Shortcuts.module.css";

interface Props {
  /** Purpose of the keys. */
  label: string;
  /** Null: there are none yet, and the field listens at once. */
  keys: KeySet | null;
  /** These keys have just been given here: the focus stays. */
  isNew?: boolean;
  /** Keys have been pressed. Returns true if the field is done with them; else it goes on listening. */
  onKeys: (keys: KeySet) => boolean;
  /** The field has been left without new keys. */
  onLeave: () => void;
  onRemove?: () => void;
}

/** A set of keys. Pressed, it listens: the next keys take their place. Escape, Tab and a click elsewhere leave it. */
export function KeyField({ label, keys, isNew, onKeys, onLeave, onRemove }: Props) {
  const [isListening, setListening] = useState(keys === null);
  const [held, setHeld] = useState<KeySet>([]);
  const leave = () => {
    setListening(false);
    setHeld([]);
    onLeave();
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    if (!isListening) return;
    if (event.key === "Tab") return;
    event.preventDefault();
    event.stopPropagation();
    if (event.repeat) return;
    if (event.key === "Escape") return leave();
    const { ctrlKey, metaKey, altKey, shiftKey } = event;
    const modifiers = [ctrlKey || metaKey ? "control" : "", altKey ? "alt" : "", shiftKey ? "shift" : ""];
    const [pressed = []] = readingsOf(event.nativeEvent);
    setHeld(modifiers.filter((name) => name !== ""));
    if (pressed.length === 0 || pressed.every(isModifier)) return;
    if (!onKeys(pressed)) return;
    setListening(false);
    setHeld([]);
  };
  const shown = isListening ? "Press keys" : showKeys(keys ?? []);
  return (
    <>
      <button
        type="button"
        className={classes.keys}
        data-listening={isListening || undefined}
        // The dialog leaves Escape to the field.
        data-mantine-stop-propagation={isListening || undefined}
        // biome-ignore lint/a11y/noAutofocus: somebody has just asked for this field, or is in it
        autoFocus={keys === null || isNew}
        aria-label={isListening ? `Press keys for ${label}; Escape cancels` : `${label}: ${shown}, change`}
        title={isListening ? "Escape cancels" : "Change"}
        onClick={() => setListening(true)}
        onBlur={() => isListening && leave()}
        onKeyDown={handleKeyDown}
        // A space bar that has been read does not press the button as well.
        onKeyUp={(event) => isListening && event.preventDefault()}
      >
        {held.length > 0 ? `${showKeys(held)}+…` : shown}
      </button>
      {isListening && onRemove && (
        <ActionIcon
          variant="subtle"
          color="red"
          size="sm"
          aria-label={`Remove ${showKeys(keys ?? [])} from ${label}`}
          title="Remove these keys"
          onMouseDown={(event) => event.preventDefault()}
          onClick={onRemove}
        >
          <X size={14} />
        </ActionIcon>
      )}
    </>
  );
}
