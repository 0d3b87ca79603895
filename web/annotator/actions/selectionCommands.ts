import type { Command } from "../keyboard/shortcuts";
import type { SelectedCommands } from "../selected/SelectedCommands";
import type { Selecting } from "../selected/Selecting";

/** Distances of a nudge, in image pixels. */
const NUDGE = { small: 1, large: 10 } as const;

const DIRECTIONS = [
  { name: "Up", x: 0, y: -1 },
  { name: "Down", x: 0, y: 1 },
  { name: "Left", x: -1, y: 0 },
  { name: "Right", x: 1, y: 0 },
] as const;

/** Commands that select several annotations, and commands on all selected ones. */
export function selectionCommands({
  selecting,
  selected,
}: {
  selecting: Selecting;
  selected: SelectedCommands;
}): Command[] {
  const group = "Selection";
  return [
    {
      id: "select all",
      name: "Select All Visible Annotations",
      group,
      keys: [["control", "a"]],
      run: () => selecting.selectAll(),
    },
    {
      id: "select category",
      name: "Select All of the Category",
      group,
      keys: [["control", "shift", "a"]],
      run: () => selecting.selectCategory(),
    },
    {
      id: "invert selection",
      name: "Invert Selection",
      group,
      keys: [["control", "i"]],
      run: () => selecting.invert(),
    },
    {
      id: "hide selected",
      name: "Hide or Show Selected Annotations",
      group,
      keys: [["shift", "h"]],
      run: () => selected.hideOrShow(),
    },
    ...DIRECTIONS.map((direction) => nudgeCommand(selected, direction, false)),
    ...DIRECTIONS.map((direction) => nudgeCommand(selected, direction, true)),
  ];
}

/** Returns a command that moves the selected annotations. Plain arrow keys move through the tree. */
function nudgeCommand(
  selected: SelectedCommands,
  { name, x, y }: (typeof DIRECTIONS)[number],
  isLarge: boolean,
): Command {
  const distance = isLarge ? NUDGE.large : NUDGE.small;
  const pixels = isLarge ? `${distance} Pixels` : `${distance} Pixel`;
  return {
    id: `nudge ${name.toLowerCase()} ${distance}`,
    name: `Move Annotations ${name} ${pixels}`,
    group: "Selection",
    keys: [["alt", ...(isLarge ? ["shift"] : []), `arrow${name.toLowerCase()}`]],
    repeats: true,
    run: () => selected.nudge({ x: x * distance, y: y * distance }),
  };
}
