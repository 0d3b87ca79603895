import { t } from "@lingui/core/macro";
import type { Command } from "../../keyboard/shortcuts";
import type { SelectedCommands } from "../../selected/SelectedCommands";
import type { Selecting } from "../../selected/Selecting";

/** Distances of a nudge, in image pixels. */
const NUDGE = { small: 1, large: 10 } as const;

interface Direction {
  id: string;
  x: number;
  y: number;
  /** Names of the commands for the small and the large distance. */
  name: string;
  largeName: string;
}

const directions = (): Direction[] => [
  {
    id: "up",
    x: 0,
    y: -1,
    name: t`Move Annotations Up ${{ distance: NUDGE.small }} Pixel`,
    largeName: t`Move Annotations Up ${{ distance: NUDGE.large }} Pixels`,
  },
  {
    id: "down",
    x: 0,
    y: 1,
    name: t`Move Annotations Down ${{ distance: NUDGE.small }} Pixel`,
    largeName: t`Move Annotations Down ${{ distance: NUDGE.large }} Pixels`,
  },
  {
    id: "left",
    x: -1,
    y: 0,
    name: t`Move Annotations Left ${{ distance: NUDGE.small }} Pixel`,
    largeName: t`Move Annotations Left ${{ distance: NUDGE.large }} Pixels`,
  },
  {
    id: "right",
    x: 1,
    y: 0,
    name: t`Move Annotations Right ${{ distance: NUDGE.small }} Pixel`,
    largeName: t`Move Annotations Right ${{ distance: NUDGE.large }} Pixels`,
  },
];

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
      name: t`Select All Visible Annotations`,
      group,
      keys: [["control", "a"]],
      run: () => selecting.selectAll(),
    },
    {
      id: "select category",
      name: t`Select All of the Category`,
      group,
      keys: [["control", "shift", "a"]],
      run: () => selecting.selectCategory(),
    },
    {
      id: "invert selection",
      name: t`Invert Selection`,
      group,
      keys: [["control", "i"]],
      run: () => selecting.invert(),
    },
    {
      id: "hide selected",
      name: t`Hide or Show Selected Annotations`,
      group,
      keys: [["shift", "h"]],
      run: () => selected.hideOrShow(),
    },
    ...directions().map((direction) => nudgeCommand(selected, direction, false)),
    ...directions().map((direction) => nudgeCommand(selected, direction, true)),
  ];
}

/** Returns a command that moves the selected annotations. Plain arrow keys move through the tree. */
function nudgeCommand(selected: SelectedCommands, { id, x, y, name, largeName }: Direction, isLarge: boolean): Command {
  const distance = isLarge ? NUDGE.large : NUDGE.small;
  return {
    id: `nudge ${id} ${distance}`,
    name: isLarge ? largeName : name,
    group: "Selection",
    keys: [["alt", ...(isLarge ? ["shift"] : []), `arrow${id}`]],
    repeats: true,
    run: () => selected.nudge({ x: x * distance, y: y * distance }),
  };
}
