import { t } from "@lingui/core/macro";
import type { Labels } from "../../document/labelMode";
import type { Command } from "../../keyboard/shortcuts";

/** Key commands of label mode. */
export function labelCommands(labels: Labels): Command[] {
  const group = "Labels";
  return [
    {
      id: "label up",
      name: t`Move Up Labels`,
      group,
      keys: [["arrowup"]],
      repeats: true,
      run: () => labels.move(-1),
    },
    {
      id: "label down",
      name: t`Move Down Labels`,
      group,
      keys: [["arrowdown"]],
      repeats: true,
      run: () => labels.move(1),
    },
    {
      id: "label tick",
      name: t`Tick or Untick Label`,
      group,
      keys: [[" "]],
      run: () => labels.toggleCurrent(),
    },
    // The same digits as in categoryCommands.
    ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(
      (number): Command => ({
        id: `label ${number}`,
        name: t`Tick or Untick Label ${number}`,
        group,
        keys: [[String(number % 10)]],
        run: () => labels.toggleNumber(number),
      }),
    ),
  ];
}
