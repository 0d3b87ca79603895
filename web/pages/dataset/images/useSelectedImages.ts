import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from "react";
import { isTyping } from "../../../components/isTyping";
import type { ChosenImages, SeenImage } from "../../../queries/bulk";
import type { DatasetPage } from "../../../queries/dataset";
import { type QueryState, shownOf } from "../../../queries/queryState";
import { type Filter, searchOf } from "../filter/filter";
import {
  allOf,
  isTicked,
  NOTHING_SELECTED,
  numberOf,
  type Selected,
  selectAllNow,
  toggled,
  whichOf,
  withoutVanished,
} from "./selectedImages";

/** A list of images: its query, with the filter and page requested. */
export interface ImageList {
  list: QueryState<Pick<DatasetPage, "images" | "total">>;
  filter: Filter;
  page: number;
}

/** The selected images as the user sees them. */
export interface ShownImages {
  which: ChosenImages;
  count: number;
  /** The selection that the target was made from. */
  selected: Selected;
  /** The images of the page that was shown. */
  images: readonly SeenImage[];
}

interface State {
  /** URL parameters of the filter that the selection belongs to. */
  search: string;
  selected: Selected;
  /** Images ticked while the list was loading. They become selected if the loaded list contains them. */
  tickedEarly: ReadonlySet<number>;
}

const NO_IDS: ReadonlySet<number> = new Set();

/**
 * Returns the selection of images, across pages, or of all that match the filter. Ctrl+A selects all, Escape none.
 * Changing the filter clears the selection; changing the page keeps it. While the list is loading, there are no shown
 * images, and images ticked on cards of the previous list become selected only if the new list contains them too.
 */
export function useSelectedImages({ list, filter, page }: ImageList) {
  const search = searchOf(filter).toString();
  const none = useMemo((): State => ({ search, selected: NOTHING_SELECTED, tickedEarly: NO_IDS }), [search]);
  const [stored, setState] = useState(none);
  if (stored.search !== search) setState(none);
  const { selected, tickedEarly } = stored.search === search ? stored : none;
  const loaded = list.state === "loaded" ? list.data : undefined;
  const images = loaded?.images;
  // The total of the previous page is good enough: the selection and that page belong to the same filter.
  const count = numberOf(selected, shownOf(list)?.data.total ?? 0);
  const set = (next: Selected) => loaded && setState({ ...none, selected: next });
  const selectAll = () => {
    set(selectAllNow());
    // A command is about the images that match now, and the user should see those.
    void list.retry();
  };
  /** Images of all pages as they were last shown. */
  const known = useRef(new Map<number, SeenImage>());
  useEffect(() => {
    for (const image of images ?? []) known.current.set(image.id, image);
  }, [images]);
  useShownImages(images, `${page}?${search}`, (before, now) =>
    setState((old) => {
      if (old.search !== search) return old;
      const next = selectionAfter(old, before, now);
      // Otherwise every list would be rendered twice.
      return next === old.selected && old.tickedEarly === NO_IDS ? old : { ...none, selected: next };
    }),
  );

  const latest = useRef(images);
  useLayoutEffect(() => {
    latest.current = images;
  }, [images]);
  const toggle = useCallback(
    (id: number, isRange: boolean) => {
      const loadedImages = latest.current;
      setState((old) => {
        const before = old.search === none.search ? old : none;
        if (!loadedImages) return { ...before, tickedEarly: withToggled(before.tickedEarly, id) };
        return { ...none, selected: toggled(before.selected, idsOf(loadedImages), id, isRange) };
      });
    },
    [none],
  );

  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (isTyping(event)) return;
    if (event.key === "Escape" && count > 0) setState(none);
    if (event.key !== "a" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    if (loaded?.total === 0) return;
    event.preventDefault();
    selectAll();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => handleKey(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);

  return {
    count,
    selected,
    /** Undefined while the list is loading. */
    shown:
      loaded && count > 0
        ? { which: whichOf(selected, filter, loaded.total), count, selected, images: loaded.images }
        : undefined,
    /** Set while all images are selected, even while a page of the list is loading. */
    all: allOf(selected, filter),
    /**
     * Returns the images that a command names as the user saw them when this target was made, those of other pages as
     * they were shown last. Of all images of a filter, these are only the shown and the excepted ones: a digest stands
     * for the others.
     */
    asSeen: useCallback(({ which, images: shown }: ShownImages): readonly SeenImage[] => {
      const seen = new Map(shown.map((image) => [image.id, image]));
      const ids = "ids" in which ? which.ids : new Set([...seen.keys(), ...which.except]);
      return [...ids].flatMap((id) => seen.get(id) ?? known.current.get(id) ?? []);
    }, []),
    has: (id: number) => isTicked(selected, id) || tickedEarly.has(id),
    /** Stays the same until the filter changes, so that only cards whose state changes are rendered again. */
    toggle,
    selectAll,
    clear: () => setState(none),
    /** Clears the given selection, unless the user has made another one since. */
    forget: useCallback(
      (of: Selected) => setState((old) => (old.selected === of ? { ...old, selected: NOTHING_SELECTED } : old)),
      [],
    ),
  };
}

export type SelectedImages = ReturnType<typeof useSelectedImages>;

/** Returns the selection after the list was loaded, or has changed from `before` to `now`. */
function selectionAfter({ selected, tickedEarly }: State, before: readonly number[], now: readonly number[]): Selected {
  const left = withoutVanished(selected, before, now);
  const ticked = now.filter((id) => tickedEarly.has(id) && !isTicked(left, id));
  return ticked.reduce((all, id) => toggled(all, now, id, false), left);
}

function withToggled(ids: ReadonlySet<number>, id: number): ReadonlySet<number> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}

type Images = readonly { id: number }[];

const idsOf = (images: Images) => images.map(({ id }) => id);

/** Calls `onList` for each loaded list, with the ids that the same `place` (page and filter) showed before. */
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
