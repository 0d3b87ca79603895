import type { TransProps } from "@lingui/react/server";
import { TransNoContext } from "@lingui/react/server";
import { i18n } from "./i18n";

/**
 * Element of a text with markup. The build imports it wherever the macro `Trans` stands. Texts among the values become
 * elements, since Lingui would read a name such as "<b>" as markup.
 */
export function Trans({ values, ...props }: TransProps) {
  return <TransNoContext {...props} values={values && inElements(values)} lingui={{ i18n }} />;
}

function inElements(values: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(values);
  // biome-ignore lint/complexity/noUselessFragments: Lingui leaves elements alone, but not strings.
  return Object.fromEntries(entries.map(([name, value]) => [name, typeof value === "string" ? <>{value}</> : value]));
}
