/** Decision on a text that was typed into a field of names and left: take it as a name, or ask. */
export type LeftText = { take: string } | { ask: string } | null;

/**
 * A known name is taken as it is spelt there, whatever the case, and a new one as it was typed. With what a known name
 * begins with, that one may have been meant.
 */
export function leftText(text: string, known: readonly string[]): LeftText {
  const typed = text.trim();
  if (typed === "") return null;
  const lower = typed.toLowerCase();
  const name = known.find((each) => each === typed) ?? known.find((each) => each.toLowerCase() === lower);
  if (name !== undefined) return { take: name };
  return known.some((each) => each.toLowerCase().startsWith(lower)) ? { ask: typed } : { take: typed };
}
