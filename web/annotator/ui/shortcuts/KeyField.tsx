import { t } from "@lingui/core/macro";
import { ActionIcon } from "@mantine/core";
import { X } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { isModifier, type KeySet, readingsOf } from "../../keyboard/keyReading";
import { showKeys } from "../../keyboard/shortcuts";
import classes from "./Shortcuts.module.css";

interface Props {
  /** Name of the command. */
  label: string;
  /** The current keys; null if there are none yet, so that the field listens at once. */
  keys: KeySet | null;
  /** True if these keys were just entered in this field, so that it keeps the focus. */
  isNew?: boolean;
  /** Called when keys are pressed. Returns true if they are accepted; otherwise the field continues to listen. */
  onKeys: (keys: KeySet) => boolean;
  /** Called when the field is left without new keys. */
  onLeave: () => void;
  onRemove?: () => void;
}

/**
 * Button for a set of keys. When pressed, it listens and the next keys replace the set. Escape, Tab or a click
 * elsewhere cancels.
 */
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
  const shown = isListening ? t`Press keys` : showKeys(keys ?? []);
  return (
    <>
      <button
        type="button"
        className={classes.keys}
        data-listening={isListening || undefined}
        // Escape cancels the field and does not close the dialog.
        data-mantine-stop-propagation={isListening || undefined}
        // biome-ignore lint/a11y/noAutofocus: the user has just opened this field, or is in it
        autoFocus={keys === null || isNew}
        aria-label={isListening ? t`Press keys for ${label}; Escape cancels` : t`${label}: ${shown}, change`}
        title={isListening ? t`Escape cancels` : t`Change`}
        onClick={() => setListening(true)}
        onBlur={() => isListening && leave()}
        onKeyDown={handleKeyDown}
        // Keeps a space that was entered as a key from also pressing the button.
        onKeyUp={(event) => isListening && event.preventDefault()}
      >
        {held.length > 0 ? `${showKeys(held)}+…` : shown}
      </button>
      {isListening && onRemove && (
        <ActionIcon
          variant="subtle"
          color="red"
          size="sm"
          aria-label={t`Remove ${{ keys: showKeys(keys ?? []) }} from ${label}`}
          title={t`Remove these keys`}
          onMouseDown={(event) => event.preventDefault()}
          onClick={onRemove}
        >
          <X size={14} />
        </ActionIcon>
      )}
    </>
  );
}
