import { t } from "@lingui/core/macro";
import { PALETTES, type PaletteName } from "../../../../shared/color/palettes";
import type { Command } from "../../keyboard/shortcuts";
import type { CategoryActions } from "../categoryActions";
import type { Creating } from "../creating";

/**
 * Commands that choose and recolor categories. Digits follow the dataset's order: 1 is the first category, 0 the tenth.
 */
export function categoryCommands(creating: Creating, categories: CategoryActions): Command[] {
  const digits = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0];
  return [
    {
      id: "label picker",
      name: t`Choose Category`,
      group: "Categories",
      keys: [["q"]],
      run: () => categories.pick(),
    },
    {
      id: "repeat",
      name: t`New Annotation like the Last One`,
      group: "Categories",
      keys: [["."]],
      run: () => creating.repeat(),
    },
    ...(Object.keys(PALETTES) as PaletteName[]).map(
      (palette): Command => ({
        id: `palette ${palette}`,
        name: t`Recolor Categories: ${palette}`,
        group: "Categories",
        keys: [],
        run: () => categories.recolor(palette),
      }),
    ),
    ...digits.map(
      (digit, place): Command => ({
        id: `category ${place + 1}`,
        name: t`Category ${{ number: place + 1 }}`,
        group: "Categories",
        keys: [[String(digit)]],
        run: () => categories.chooseNumber(place),
      }),
    ),
  ];
}
