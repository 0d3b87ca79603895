import type { Labels } from "./labels";
import type { Command } from "./shortcuts";

/** What keys do in label mode. */
export function labelCommands(labels: Labels): Command[] {
  const group = "Labels";
  return [
    {
      id: "label up",
      name: "Move Up Labels",
      group,
      keys: [["arrowup"]],
      repeats: true,
      run: () => labels.move(-1),
    },
    {
      id: "label down",
      name: "Move Down Labels",
      group,
      keys: [["arrowdown"]],
      repeats: true,
      run: () => labels.move(1),
    },
    {
      id: "label tick",
      name: "Tick or Untick Label",
      group,
      keys: [[" "]],
      run: () => labels.toggleCurrent(),
    },
    ...Array.from(
      { length: 9 },
      (_, index): Command => ({
        id: `label ${index + 1}`,
        name: `Tick or Untick Label ${index + 1}`,
        group,
        keys: [[String(index + 1)]],
        run: () => labels.toggleAt(index),
      }),
    ),
  ];
}
