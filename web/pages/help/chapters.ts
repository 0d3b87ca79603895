import type { Token } from "marked";

/** Titles of the chapters: the headings of the second level. */
export const chaptersOf = (tokens: readonly Token[]): string[] =>
  tokens.flatMap((token) => (token.type === "heading" && token.depth === 2 ? [token.text] : []));

/** A heading's name in an address. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "");
