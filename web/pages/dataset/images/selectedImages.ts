import type { AllImages, ChosenImages } from "../../../queries/bulk";
import { type Filter, queryOf } from "../filter/filter";

/**
 * Selected images: those in `ids`, or, if `isAll`, all that match the list's filter except those in `ids`. `last` is
 * the last clicked image, where a range starts. `moment` is another number each time that all are selected.
 */
export interface Selected {
  ids: ReadonlySet<number>;
  isAll: boolean;
  moment?: number;
  last: number | undefined;
}

export const NOTHING_SELECTED: Selected = { ids: new Set(), isAll: false, last: undefined };

/** Returns the selection of all images, made now. */
export const selectAllNow = (): Selected => ({ ...NOTHING_SELECTED, isAll: true, moment: performance.now() });

export const numberOf = ({ ids, isAll }: Selected, total: number): number =>
  isAll ? Math.max(0, total - ids.size) : ids.size;

export const isTicked = ({ ids, isAll }: Selected, id: number): boolean => ids.has(id) !== isAll;

/** Returns the selected images as a bulk command names them. `total` is the number of matches that the user sees. */
export function whichOf(selected: Selected, filter: Filter, total: number): ChosenImages {
  const ids = [...selected.ids];
  if (!selected.isAll) return { ids };
  return { filter: withoutOrder(filter), except: ids, total: numberOf(selected, total) };
}

/** Returns which images were all selected, and when; undefined if single ones are selected. */
export const allOf = ({ isAll, moment = 0 }: Selected, filter: Filter): AllImages | undefined =>
  isAll ? { filter: withoutOrder(filter), moment } : undefined;

function withoutOrder(filter: Filter): AllImages["filter"] {
  const { order: _, ...rest } = queryOf(filter);
  return rest;
}

/**
 * Returns the selection after a click on an image's checkbox. With `isRange` (Shift), all images from the last
 * clicked one to this one, in the order shown, get the same state as this one.
 */
export function toggled(selected: Selected, shown: readonly number[], id: number, isRange: boolean): Selected {
  const ids = new Set(selected.ids);
  const isNamed = !ids.has(id);
  for (const one of isRange ? rangeOf(shown, selected.last, id) : [id]) {
    if (isNamed) ids.add(one);
    else ids.delete(one);
  }
  return { ...selected, ids, last: id };
}

function rangeOf(shown: readonly number[], from: number | undefined, to: number): readonly number[] {
  const ends = [from === undefined ? -1 : shown.indexOf(from), shown.indexOf(to)];
  if (ends.includes(-1)) return [to];
  return shown.slice(Math.min(...ends), Math.max(...ends) + 1);
}

/**
 * Returns the selection after the list changed from `before` to `now`, without images that are gone. Exceptions to
 * "all" are kept, because an image that has only moved to another page must still be excluded.
 */
export function withoutVanished(selected: Selected, before: readonly number[], now: readonly number[]): Selected {
  const there = new Set(now);
  const vanished = before.filter((id) => selected.ids.has(id) && !there.has(id));
  if (selected.isAll || vanished.length === 0) return selected;
  const ids = new Set(selected.ids);
  for (const id of vanished) ids.delete(id);
  return { ...selected, ids };
}
