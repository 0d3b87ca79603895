import type { Command } from "../keyboard/shortcuts";
import type { Actions } from "./actions";

/** Commands that choose categories by digit, in the dataset's order and not the tree's: 1 is the first, 0 the tenth. */
export function categoryCommands(actions: Actions): Command[] {
  const digits = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0];
  return [
    {
      id: "repeat",
      name: "New Annotation like the Last One",
      group: "Categories",
      keys: [["."]],
      run: () => actions.repeat(),
    },
    ...digits.map(
      (digit, place): Command => ({
        id: `category ${place + 1}`,
        name: `Category ${place + 1}`,
        group: "Categories",
        keys: [[String(digit)]],
        run: () => actions.chooseCategory(place),
      }),
    ),
  ];
}
