/** Ticked pictures: by id, or all that fit the list's filter. `last` is where a range begins. */
export interface Selected {
  ids: ReadonlySet<number>;
  isAll: boolean;
  last: number | undefined;
}

export const NOTHING_SELECTED: Selected = { ids: new Set(), isAll: false, last: undefined };

export const numberOf = ({ ids, isAll }: Selected, total: number): number => (isAll ? total : ids.size);

/**
 * After a click on a picture's tick. With Shift all from the last clicked one to this one, in the order shown, become
 * what this one becomes. Who takes one away from "all" keeps the others that are shown.
 */
export function toggled(selected: Selected, shown: readonly number[], id: number, isRange: boolean): Selected {
  if (selected.isAll) return { ids: new Set(shown.filter((other) => other !== id)), isAll: false, last: id };
  const ids = new Set(selected.ids);
  const isTicked = !ids.has(id);
  for (const one of isRange ? rangeOf(shown, selected.last, id) : [id]) {
    if (isTicked) ids.add(one);
    else ids.delete(one);
  }
  return { ids, isAll: false, last: id };
}

function rangeOf(shown: readonly number[], from: number | undefined, to: number): readonly number[] {
  const ends = [from === undefined ? -1 : shown.indexOf(from), shown.indexOf(to)];
  if (ends.includes(-1)) return [to];
  return shown.slice(Math.min(...ends), Math.max(...ends) + 1);
}
