import { msg } from "@lingui/core/macro";

/** Meanings of a shape's colour that every image has, with their names. */
export const COLOR_BY = [
  { value: "category", name: msg`Category` },
  { value: "annotation", name: msg`Annotation` },
  { value: "author", name: msg`Author` },
] as const;

/** The value of an attribute as the meaning of a shape's colour. */
export type ByAttribute = `attribute:${string}`;
export type ColorBy = (typeof COLOR_BY)[number]["value"] | ByAttribute;

const ATTRIBUTE = "attribute:";

export const isColorBy = (value: unknown): value is ColorBy =>
  COLOR_BY.some((meaning) => meaning.value === value) || (typeof value === "string" && value.startsWith(ATTRIBUTE));

export const byAttribute = (name: string): ByAttribute => `${ATTRIBUTE}${name}`;

/** Returns the name of the attribute that colours mean; null if they mean something else. */
export const attributeOf = (colorBy: ColorBy): string | null =>
  colorBy.startsWith(ATTRIBUTE) ? colorBy.slice(ATTRIBUTE.length) : null;

/** Returns the names of the attributes that categories define. */
export function definedAttributes(categories: readonly { attributes?: readonly { name: string }[] }[]): string[] {
  return [...new Set(categories.flatMap(({ attributes = [] }) => attributes.map(({ name }) => name)))];
}
