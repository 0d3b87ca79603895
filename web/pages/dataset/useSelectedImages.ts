import { useEffect, useEffectEvent, useState } from "react";
import { isTyping } from "../../components/isTyping";
import { isTicked, NOTHING_SELECTED, numberOf, type Selected, toggled } from "./selectedImages";

/**
 * The pictures that are ticked, of any page of the list, or all that fit the filter. Ctrl+A takes all, Escape none.
 * Another filter begins with none; another page keeps them.
 */
export function useSelectedImages(shown: readonly { id: number }[], total: number, search: string) {
  const [state, setState] = useState({ search, selected: NOTHING_SELECTED });
  const selected = state.search === search ? state.selected : NOTHING_SELECTED;
  const set = (next: Selected) => setState({ search, selected: next });
  const count = numberOf(selected, total);

  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (isTyping(event)) return;
    if (event.key === "Escape" && count > 0) set(NOTHING_SELECTED);
    if (event.key !== "a" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || total === 0) return;
    event.preventDefault();
    set({ ...NOTHING_SELECTED, isAll: true });
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => handleKey(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);

  return {
    count,
    isAll: selected.isAll,
    ids: selected.ids,
    has: (id: number) => isTicked(selected, id),
    toggle: (id: number, isRange: boolean) =>
      set(
        toggled(
          selected,
          shown.map((image) => image.id),
          id,
          isRange,
        ),
      ),
    selectAll: () => set({ ...NOTHING_SELECTED, isAll: true }),
    clear: () => set(NOTHING_SELECTED),
  };
}

export type SelectedImages = ReturnType<typeof useSelectedImages>;
