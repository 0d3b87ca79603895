import { t } from "@lingui/core/macro";
import type { Command } from "../../keyboard/shortcuts";
import type { SelectedCommands } from "../../selected/SelectedCommands";
import type { Stacking } from "../../selected/Stacking";

/** Commands for lock, order and groups of the selected annotations. */
export function stackingCommands({
  stacking,
  selected,
}: {
  stacking: Stacking;
  selected: SelectedCommands;
}): Command[] {
  const group = "Selection";
  return [
    { id: "lock", name: t`Lock or Unlock`, group, keys: [["shift", "l"]], run: () => selected.lockOrUnlock() },
    { id: "unlock all", name: t`Unlock All Annotations`, group, keys: [], run: () => selected.unlockAll() },
    { id: "front", name: t`Bring to Front`, group, keys: [["control", "]"]], run: () => stacking.place("front") },
    { id: "back", name: t`Send to Back`, group, keys: [["control", "["]], run: () => stacking.place("back") },
    { id: "forward", name: t`Bring Forward`, group, keys: [["alt", "]"]], run: () => stacking.place("forward") },
    { id: "backward", name: t`Send Backward`, group, keys: [["alt", "["]], run: () => stacking.place("backward") },
    { id: "group", name: t`Group`, group, keys: [["control", "g"]], run: () => stacking.group() },
    { id: "ungroup", name: t`Ungroup`, group, keys: [["control", "shift", "g"]], run: () => stacking.ungroup() },
  ];
}
