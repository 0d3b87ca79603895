import { t } from "@lingui/core/macro";
import type { Command } from "../keyboard/shortcuts";
import type { Past } from "./Past";

/** Command that opens and closes the panel of the image's history. */
export const historyCommand = (past: Past): Command => ({
  id: "history",
  name: t`History of the Image`,
  group: "General",
  keys: [["shift", "t"]],
  run: () => past.toggle(),
});

/** Commands of the list that remain available while the canvas shows the past: they change nothing. */
const ALLOWED = ["history", "zoom in", "zoom out", "actual size", "center", "help", "save"];

/** Returns the commands that keys run while the canvas shows the past. */
export function commandsInThePast(past: Past, list: readonly Command[]): Command[] {
  const group = "General";
  return [
    ...list.filter(({ id }) => ALLOWED.includes(id)),
    { id: "close history", name: t`Close`, group, keys: [["escape"]], run: () => past.close() },
    ...([1, -1] as const).map(
      (by): Command => ({
        id: `history ${by}`,
        name: by === 1 ? t`Newer step` : t`Older step`,
        group,
        keys: by === 1 ? [["arrowright"], ["arrowup"]] : [["arrowleft"], ["arrowdown"]],
        repeats: true,
        run: () => past.step(by),
      }),
    ),
  ];
}
