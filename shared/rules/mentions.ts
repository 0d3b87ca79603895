/** Punctuation at the end of a username belongs to the sentence unless a name ends with it. */
const MENTION = /(?<![\w.@-])@([A-Za-z0-9_.-]{1,25})/g;

/** A piece of a comment's text; `mention` is the username that it may name, without `@`. */
export interface TextPiece {
  text: string;
  mention?: string;
}

/**
 * Returns the usernames that a text may mention, in lower case. A name before a full stop is listed with and without
 * it, since usernames may end with one.
 */
export function mentionsIn(text: string): string[] {
  const names = new Set<string>();
  for (const [, name = ""] of text.matchAll(MENTION)) {
    names.add(name.toLowerCase());
    names.add(name.toLowerCase().replace(/[.-]+$/, ""));
  }
  names.delete("");
  return [...names];
}

/** Splits a text at the mentions of `usernames`. */
export function splitMentions(text: string, usernames: Iterable<string>): TextPiece[] {
  const known = new Map([...usernames].map((name) => [name.toLowerCase(), name]));
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const match of text.matchAll(MENTION)) {
    const name = match[1] ?? "";
    const named = [name, name.replace(/[.-]+$/, "")].find((each) => known.has(each.toLowerCase()));
    if (named === undefined || match.index < end) continue;
    if (match.index > end) pieces.push({ text: text.slice(end, match.index) });
    end = match.index + 1 + named.length;
    pieces.push({ text: text.slice(match.index, end), mention: known.get(named.toLowerCase()) ?? named });
  }
  if (end < text.length) pieces.push({ text: text.slice(end) });
  return pieces;
}
