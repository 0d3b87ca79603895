import { plural, t } from "@lingui/core/macro";
import { createStore } from "zustand/vanilla";
import { foldText } from "../../../shared/text/fold";
import { type Search, searchable, wantedText } from "../state/search";
import type { Commands } from "./commands";
import type { AnnotatorDocument, DocumentState, SceneCategory } from "./document";
import { readOnlyText } from "./locks";

/** A row of label mode: a category with its check box. */
export interface LabelRow {
  category: SceneCategory;
  /** Position among all categories, from 1; the search does not change it. */
  number: number;
  /**
   * Number of the category's annotations on the image. A category with annotations is ticked and cannot be unticked.
   */
  count: number;
  ticked: boolean;
}

/** Returns the reason why a category with annotations cannot be unticked; null if it can. */
export function lockOf({ count }: Pick<LabelRow, "count">): string | null {
  if (count === 0) return null;
  return plural(count, {
    one: "It has an annotation on this image",
    other: "It has # annotations on this image",
  });
}

/**
 * Returns the rows of the categories that match the search, in the order of their numbers. The order is the same for
 * every image of a dataset, so that users get to know where a label is.
 */
export function labelRows(document: DocumentState, search: string): LabelRow[] {
  const { categories, numbered, annotations, image } = document;
  const counts = new Map<number, number>();
  for (const { category_id } of annotations.values()) counts.set(category_id, (counts.get(category_id) ?? 0) + 1);
  const ticked = new Set(image.labels);
  const wanted = searchable(document, "label") ? wantedText(search) : "";
  const byId = new Map(categories.map((category) => [category.id, category]));
  return numbered.flatMap((id, place) => {
    const category = byId.get(id);
    if (!category || !foldText(category.name).includes(wanted)) return [];
    const count = counts.get(id) ?? 0;
    return [{ category, number: place + 1, count, ticked: count > 0 || ticked.has(id) }];
  });
}

export interface LabelParts {
  document: AnnotatorDocument;
  commands: Commands;
  search: Search;
  /** Shows the user a message, which screen readers also announce. */
  showMessage: (text: string) => void;
}

/** Label mode: the current row and its tick. Each tick is one undo step. */
export class Labels {
  /** `current`: id of the current row's category. */
  readonly store = createStore<{ current: number | null }>(() => ({ current: null }));

  constructor(private readonly parts: LabelParts) {}

  get rows(): LabelRow[] {
    return labelRows(this.parts.document.state, this.parts.search.state.text);
  }

  select(id: number): void {
    if (this.store.getState().current !== id) this.store.setState({ current: id });
  }

  /** Moves to the next or previous row; wraps around at the ends. */
  move(by: 1 | -1): void {
    const { rows } = this;
    if (rows.length === 0) return;
    const { current } = this.store.getState();
    const at = rows.findIndex(({ category }) => category.id === current);
    const next = at < 0 ? (by > 0 ? 0 : rows.length - 1) : (at + by + rows.length) % rows.length;
    this.select(rows[next]!.category.id);
  }

  /**
   * Moves to the first search result, unless the current row is one of them, and ends the search. Returns false if
   * nothing was found.
   */
  selectFound(): boolean {
    const [first] = this.rows;
    const { current } = this.store.getState();
    if (!first) return false;
    if (!this.rows.some(({ category }) => category.id === current)) this.select(first.category.id);
    this.parts.search.find("");
    return true;
  }

  /** Ticks or unticks the current row. */
  toggleCurrent(): void {
    const { current } = this.store.getState();
    if (current !== null) this.toggle(current);
  }

  /** Ticks or unticks the category with a number, even if the search hides it. */
  toggleNumber(number: number): void {
    const { document, showMessage } = this.parts;
    const id = document.state.numbered[number - 1];
    if (id === undefined) showMessage(t`There is no category ${number}`);
    else this.toggle(id);
  }

  toggle(id: number): void {
    const { document, commands, showMessage } = this.parts;
    const category = document.category(id);
    if (!category) return;
    this.select(id);
    if (document.isReadOnly) {
      showMessage(readOnlyText());
      return;
    }
    const lock = lockOf({ count: document.ofCategory(id).length });
    if (lock) {
      showMessage(t`${{ name: category.name }} cannot be unticked. ${lock}`);
      return;
    }
    const { labels } = document.state.image;
    const isTicked = labels.includes(id);
    const next = isTicked ? labels.filter((label) => label !== id) : [...labels, id].sort((a, b) => a - b);
    commands.changeImage({ labels: next }, { name: category.name, action: isTicked ? t`Untick` : t`Tick` });
    const { name } = category;
    showMessage(isTicked ? t`${name} unticked` : t`${name} ticked`);
  }
}
