import type { Token } from "marked";

/** Returns the chapter titles: the second-level headings. */
export const chaptersOf = (tokens: readonly Token[]): string[] =>
  tokens.flatMap((token) => (token.type === "heading" && token.depth === 2 ? [token.text] : []));

/** Returns a heading's anchor for use in URLs. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "");
