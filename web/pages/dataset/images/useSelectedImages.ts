import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { isTyping } from "../../../components/isTyping";
import type { WhichImages } from "../../../queries/bulk";
import type { DatasetPage } from "../../../queries/dataset";
import { type QueryState, shownOf } from "../../../queries/queryState";
import { type Filter, searchOf } from "../filter/filter";
import {
  isTicked,
  NOTHING_SELECTED,
  numberOf,
  type Selected,
  toggled,
  whichOf,
  withoutVanished,
} from "./selectedImages";

/** A list of images: its answer, and the filter and page that were asked for. */
export interface ImageList {
  list: QueryState<Pick<DatasetPage, "images" | "total">>;
  filter: Filter;
  page: number;
}

/** Target of a bulk command: the images as they were on the screen. */
export interface SeenImages {
  which: WhichImages;
  count: number;
  /** The selection it was made of. */
  selected: Selected;
}

interface State {
  /** Of the filter that the selection belongs to. */
  search: string;
  selected: Selected;
  /** Ticked while the list was due: those that it turns out to have become selected. */
  early: ReadonlySet<number>;
}

const NO_IDS: ReadonlySet<number> = new Set();

/**
 * The images that are ticked, of any page of the list, or all that fit the filter. Ctrl+A takes all, Escape none.
 * Another filter begins with none; another page keeps them. While the list is due nothing can be done to them, and what
 * is ticked on cards of the list before is selected only if it is in this one as well.
 */
export function useSelectedImages({ list, filter, page }: ImageList) {
  const search = searchOf(filter).toString();
  const none: State = { search, selected: NOTHING_SELECTED, early: NO_IDS };
  const [stored, setState] = useState(none);
  if (stored.search !== search) setState(none);
  const { selected, early } = stored.search === search ? stored : none;
  const here = list.state === "loaded" ? list.data : undefined;
  // The selection belongs to this filter, and so does the page shown while the next one loads.
  const count = numberOf(selected, shownOf(list)?.data.total ?? 0);
  const set = (next: Selected) => here && setState({ ...none, selected: next });
  useShownImages(here?.images, `${page}?${search}`, (before, now) =>
    setState((old) => (old.search === search ? { ...none, selected: arrived(old, before, now) } : old)),
  );

  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (isTyping(event)) return;
    if (event.key === "Escape" && count > 0) setState(none);
    if (event.key !== "a" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    if (here?.total === 0) return;
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
    selected,
    /** Undefined while the list is due. */
    seen: here && count > 0 ? { which: whichOf(selected, filter, here.total), count, selected } : undefined,
    has: (id: number) => isTicked(selected, id) || early.has(id),
    toggle: (id: number, isRange: boolean) => {
      if (here) set(toggled(selected, idsOf(here.images), id, isRange));
      else setState({ search, selected, early: withToggled(early, id) });
    },
    selectAll: () => set({ ...NOTHING_SELECTED, isAll: true }),
    clear: () => setState(none),
    /** Clears this selection, and no other that was made meanwhile. */
    forget: useCallback(
      (of: Selected) => setState((old) => (old.selected === of ? { ...old, selected: NOTHING_SELECTED } : old)),
      [],
    ),
  };
}

export type SelectedImages = ReturnType<typeof useSelectedImages>;

/** Returns the selection after the list has come, or has changed from `before` to `now`. */
function arrived({ selected, early }: State, before: readonly number[], now: readonly number[]): Selected {
  const left = withoutVanished(selected, before, now);
  const ticked = now.filter((id) => early.has(id) && !isTicked(left, id));
  return ticked.reduce((all, id) => toggled(all, now, id, false), left);
}

function withToggled(ids: ReadonlySet<number>, id: number): ReadonlySet<number> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}

type Images = readonly { id: number }[];

const idsOf = (images: Images) => images.map(({ id }) => id);

/** Announces a loaded list, and what the same page showed before. `place`: its page and filter. */
function useShownImages(
  images: Images | undefined,
  place: string,
  onList: (before: readonly number[], now: readonly number[]) => void,
): void {
  const seen = useRef<{ place: string; ids: readonly number[] }>(undefined);
  const handleList = useEffectEvent((shown: Images) => {
    const before = seen.current?.place === place ? seen.current.ids : [];
    const ids = idsOf(shown);
    seen.current = { place, ids };
    onList(before, ids);
  });
  useEffect(() => {
    if (images) handleList(images);
  }, [images]);
}
