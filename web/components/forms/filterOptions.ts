import type { ComboboxItem, ComboboxParsedItem, OptionsFilter } from "@mantine/core";
import { foldText } from "../../../shared/text/fold";

/** Returns the first `limit` options whose label contains the typed text, ignoring case and accents (`foldText`). */
export const filterOptions: OptionsFilter = ({ options, search, limit }) => {
  const wanted = foldText(search.trim());
  let left = limit;
  const found = (items: readonly ComboboxItem[]): ComboboxItem[] => {
    const matching = items.filter(({ label }) => foldText(label).includes(wanted)).slice(0, left);
    left -= matching.length;
    return matching;
  };
  return options.flatMap((option): ComboboxParsedItem[] =>
    "group" in option ? [{ ...option, items: found(option.items) }] : found([option]),
  );
};
