import { createStore } from "zustand/vanilla";
import { CATEGORY_SEARCH_ABOVE } from "../../../shared/constants";
import type { Search } from "../state/search";
import type { Commands } from "./commands";
import type { AnnotatorDocument, DocumentState, SceneCategory } from "./document";

/** A line of label mode: a category with its check box. */
export interface LabelRow {
  category: SceneCategory;
  /** Counted from 1 over all categories, also those that the search leaves out. */
  number: number;
  /** Annotations of it on the image. As long as there are some, it is ticked and stays so. */
  count: number;
  ticked: boolean;
}

/** Returns the reason why a category with annotations cannot be unticked; null if it can. */
export function lockOf({ count }: Pick<LabelRow, "count">): string | null {
  if (count === 0) return null;
  return count === 1 ? "It has an annotation on this image" : `It has ${count} annotations on this image`;
}

/**
 * The categories without those that the search leaves out. Their order is that of their numbers, the same for every image
 * of a dataset, so that the hand learns where a label is.
 */
export function labelRows({ categories, numbered, annotations, image }: DocumentState, search: string): LabelRow[] {
  const counts = new Map<number, number>();
  for (const { category_id } of annotations.values()) counts.set(category_id, (counts.get(category_id) ?? 0) + 1);
  const ticked = new Set(image.labels);
  const wanted = categories.length > CATEGORY_SEARCH_ABOVE ? search.trim().toLowerCase() : "";
  const byId = new Map(categories.map((category) => [category.id, category]));
  return numbered.flatMap((id, place) => {
    const category = byId.get(id);
    if (!category?.name.toLowerCase().includes(wanted)) return [];
    const count = counts.get(id) ?? 0;
    return [{ category, number: place + 1, count, ticked: count > 0 || ticked.has(id) }];
  });
}

export interface LabelParts {
  document: AnnotatorDocument;
  commands: Commands;
  search: Search;
  /** Notifies the user, also by screen reader. */
  say: (text: string) => void;
}

/** Label mode: which line is in hand, and ticking it. Each tick is one undo step. */
export class Labels {
  /** `current`: the category whose line is in hand. */
  readonly store = createStore<{ current: number | null }>(() => ({ current: null }));

  constructor(private readonly parts: LabelParts) {}

  get rows(): LabelRow[] {
    return labelRows(this.parts.document.state, this.parts.search.state.categories);
  }

  take(id: number): void {
    if (this.store.getState().current !== id) this.store.setState({ current: id });
  }

  /** To the next or previous line; past the end it begins again. */
  move(by: 1 | -1): void {
    const { rows } = this;
    if (rows.length === 0) return;
    const { current } = this.store.getState();
    const at = rows.findIndex(({ category }) => category.id === current);
    const next = at < 0 ? (by > 0 ? 0 : rows.length - 1) : (at + by + rows.length) % rows.length;
    this.take(rows[next]!.category.id);
  }

  /** Moves to a search's results: stays on the selected one if it is among them, otherwise goes to the first. */
  takeFound(): void {
    const [first] = this.rows;
    const { current } = this.store.getState();
    if (first && !this.rows.some(({ category }) => category.id === current)) this.take(first.category.id);
  }

  /** Ticks or unticks the line in hand. */
  toggleCurrent(): void {
    const { current } = this.store.getState();
    if (current !== null) this.toggle(current);
  }

  /** The category of a number, also where the search leaves it out. */
  toggleNumber(number: number): void {
    const { document, say } = this.parts;
    const id = document.state.numbered[number - 1];
    if (id === undefined) say(`There is no category ${number}`);
    else this.toggle(id);
  }

  toggle(id: number): void {
    const { document, commands, say } = this.parts;
    const category = document.category(id);
    if (!category) return;
    this.take(id);
    const lock = lockOf({ count: document.ofCategory(id).length });
    if (lock) {
      say(`${category.name} cannot be unticked. ${lock}`);
      return;
    }
    const { labels } = document.state.image;
    const isTicked = labels.includes(id);
    const next = isTicked ? labels.filter((label) => label !== id) : [...labels, id].sort((a, b) => a - b);
    commands.changeImage({ labels: next }, { name: category.name, action: isTicked ? "Untick" : "Tick" });
    say(`${category.name} ${isTicked ? "unticked" : "ticked"}`);
  }
}
