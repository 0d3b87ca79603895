import { t } from "@lingui/core/macro";
import type { Clipboard } from "../../clipboard/Clipboard";
import type { PreviousImage } from "../../clipboard/PreviousImage";
import type { Propagation } from "../../clipboard/Propagation";
import { type KeySet, sameKeys } from "../../keyboard/keyReading";
import type { Command } from "../../keyboard/shortcuts";

const PASTE: KeySet = ["control", "v"];

/** Commands that copy, cut, paste, duplicate and propagate annotations. */
export function clipboardCommands({
  clipboard,
  previousImage,
  propagation,
}: {
  clipboard: Clipboard;
  previousImage: PreviousImage;
  propagation: Propagation;
}): Command[] {
  const group = "Selection";
  return [
    {
      id: "copy",
      name: t`Copy Annotations`,
      group,
      keys: [["control", "c"]],
      isLeftToBrowser: hasSelectedText,
      run: () => clipboard.copy(),
    },
    {
      id: "cut",
      name: t`Cut Annotations`,
      group,
      keys: [["control", "x"]],
      isLeftToBrowser: hasSelectedText,
      run: () => clipboard.cut(),
    },
    {
      id: "paste",
      name: t`Paste Annotations`,
      group,
      keys: [PASTE],
      // The browser's "paste" event brings the text. Reading the clipboard without that event needs the user's
      // permission.
      isLeftToBrowser: (keys) => sameKeys(keys, PASTE),
      run: () => void clipboard.pasteFromSystem(),
    },
    {
      id: "duplicate",
      name: t`Duplicate Annotations`,
      group,
      keys: [["control", "d"]],
      run: () => clipboard.duplicate(),
    },
    {
      id: "copy previous",
      name: t`Copy Annotations of the Previous Image`,
      group,
      keys: [["shift", "c"]],
      run: () => void previousImage.copy(),
    },
    {
      id: "propagate",
      name: t`Propagate Annotations to the Next Images`,
      group,
      keys: [["control", "b"]],
      run: () => propagation.open(),
    },
    {
      id: "undo propagation",
      name: t`Undo the Last Propagation`,
      group,
      keys: [],
      run: () => propagation.undoLast(),
    },
  ];
}

/** Returns true if the user has selected text on the page: the browser then copies that text. */
const hasSelectedText = (): boolean => globalThis.getSelection?.()?.type === "Range";
