import { foldText, isSameName } from "../../../shared/text/fold";
/** Result for text left in a tag field: add it as a tag, ask for confirmation, or do nothing (null). */
export type ResolvedTag = { add: string } | { confirm: string } | null;

/**
 * Decides what to do with text that the user left in a tag field. A known name is added in its known spelling, ignoring
 * case; a new name as typed. A prefix of a known name needs confirmation, because the user may have meant that name.
 */
export function resolveTypedTag(text: string, known: readonly string[]): ResolvedTag {
  const typed = text.trim();
  if (typed === "") return null;
  const name = known.find((each) => each === typed) ?? known.find((each) => isSameName(each, typed));
  if (name !== undefined) return { add: name };
  const begin = foldText(typed);
  return known.some((each) => foldText(each).startsWith(begin)) ? { confirm: typed } : { add: typed };
}
