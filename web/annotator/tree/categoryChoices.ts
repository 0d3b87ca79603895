import { foldText, isSameName } from "../../../shared/text/fold";
import type { DocumentState, SceneCategory } from "../document/document";
import { wantedText } from "../state/search";

/**
 * Returns the categories whose names contain a text. The exact name comes first, then names that begin with the text,
 * then names with a word that begins with it. Among equals, recently used categories come first (`recent`: their ids,
 * the latest first), then the order of the number keys.
 */
export function categoryChoices(
  { categories, numbered }: Pick<DocumentState, "categories" | "numbered">,
  recent: readonly number[],
  text: string,
): SceneCategory[] {
  const wanted = wantedText(text);
  const byId = new Map(categories.map((category) => [category.id, category]));
  const ids = new Set([...recent.filter((id) => byId.has(id)), ...numbered]);
  return [...ids]
    .flatMap((id) => byId.get(id) ?? [])
    .map((category) => ({ category, rank: rankOf(category.name, wanted) }))
    .filter(({ rank }) => rank !== null)
    .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
    .map(({ category }) => category);
}

/** Returns how well a name fits a folded search text, 0 for best; null if the name does not contain the text. */
export function rankOf(name: string, wanted: string): number | null {
  const folded = foldText(name);
  const at = folded.indexOf(wanted);
  if (at < 0) return null;
  if (wanted === "" || folded === wanted) return 0;
  if (at === 0) return 1;
  return /[\p{L}\p{N}]/u.test(folded.charAt(at - 1)) ? 3 : 2;
}

/** Returns the name of a category that does not exist yet; null if the text is empty or names an existing one. */
export function newCategoryName({ categories }: Pick<DocumentState, "categories">, text: string): string | null {
  const name = text.trim();
  return name === "" || categories.some((each) => isSameName(each.name, name)) ? null : name;
}
