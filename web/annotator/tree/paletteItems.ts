import type { Annotation } from "../../../shared/entities/annotation";
import { foldText } from "../../../shared/text/fold";
import { type DocumentState, numbersOf, type SceneCategory } from "../document/document";
import { wantedText } from "../state/search";
import { rankOf } from "./categoryChoices";
import { titleOf } from "./rows";

/** Maximum number of entries of each kind that the command palette lists. */
const LISTED = 12;
/** Rank of an entry that contains all words of the search, but not as one text in its name. */
const SCATTERED = 4;

export interface Ranked<T> {
  item: T;
  rank: number;
}

/**
 * Returns the rank of an entry for a search, 0 for best; null if a word of the search is in none of its texts. Entries
 * rank better by their name than by other texts.
 */
function rankOfAny(name: string, more: readonly string[], text: string): number | null {
  const wanted = wantedText(text);
  const rank = rankOf(name, wanted);
  if (rank !== null) return rank;
  const all = foldText([name, ...more].join(" "));
  return wanted.split(/\s+/).every((word) => all.includes(word)) ? SCATTERED : null;
}

/**
 * Returns the entries that fit a search, the best first. `texts`: the name of an entry, and other texts that are
 * searched.
 */
export function ranked<T>(items: readonly T[], texts: (item: T) => readonly [string, ...string[]], text: string) {
  return items
    .flatMap((item): Ranked<T>[] => {
      const [name, ...more] = texts(item);
      const rank = rankOfAny(name, more, text);
      return rank === null ? [] : [{ item, rank }];
    })
    .sort((a, b) => a.rank - b.rank);
}

export interface FoundAnnotation {
  annotation: Annotation;
  category: SceneCategory;
  /** The annotation's name, otherwise its number. */
  title: string;
}

/** Returns the annotations whose id is the text, or whose name contains it. */
export function annotationsFor(state: DocumentState, text: string): Ranked<FoundAnnotation>[] {
  const { annotations, categories } = state;
  const wanted = wantedText(text);
  if (wanted === "") return [];
  const byId = new Map(categories.map((category) => [category.id, category]));
  const numbers = numbersOf(state);
  const found: Ranked<FoundAnnotation>[] = [];
  for (const annotation of annotations.values()) {
    const { category_id, id, metadata } = annotation;
    const number = numbers.get(annotation.uuid) ?? 0;
    const category = byId.get(category_id);
    const rank = String(id) === wanted ? 0 : typeof metadata.name === "string" ? rankOf(metadata.name, wanted) : null;
    if (category && rank !== null)
      found.push({ item: { annotation, category, title: titleOf(annotation, number) }, rank });
  }
  return found.sort((a, b) => a.rank - b.rank).slice(0, LISTED);
}

/** Returns the entries group by group, the group with the best entry first. */
export function inOrder<T>(groups: readonly (readonly Ranked<T>[])[]): T[] {
  return groups
    .filter((group) => group.length > 0)
    .sort((a, b) => (a[0]?.rank ?? 0) - (b[0]?.rank ?? 0))
    .flatMap((group) => group.map(({ item }) => item));
}
