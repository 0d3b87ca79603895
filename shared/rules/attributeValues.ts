import type { AttributeDefinition } from "../entities/attribute";
import type { Json, Metadata } from "../entities/scalars";

/** The attributes of an annotation: values by name. Values that no definition names are kept. */
export type Attributes = Metadata;

/** Returns the attributes of a new annotation of a category. */
export function defaultAttributes(definitions: readonly AttributeDefinition[] = []): Attributes {
  const given = definitions.filter((definition) => definition.default !== null);
  return Object.fromEntries(given.map((definition): [string, Json] => [definition.name, definition.default]));
}

/** Returns attributes with the defaults of a category for those that have no value. */
export const withDefaults = (attributes: Attributes, definitions: readonly AttributeDefinition[] = []): Attributes => ({
  ...defaultAttributes(definitions),
  ...attributes,
});

/** Returns the changes that move an annotation into a category: values of the same names stay, others get defaults. */
export const movedInto = (
  { attributes }: { attributes: Attributes },
  category: { id: number; attributes?: readonly AttributeDefinition[] },
): { category_id: number; attributes: Attributes } => ({
  category_id: category.id,
  attributes: withDefaults(attributes, category.attributes),
});

/** Returns true if a value is one that its definition allows. */
export function isAllowed({ type, choices }: Pick<AttributeDefinition, "type" | "choices">, value: Json): boolean {
  if (type === "flag") return typeof value === "boolean";
  if (type === "number") return typeof value === "number";
  return typeof value === "string" && (type === "text" || choices.includes(value));
}

/** Returns true if a required attribute has no value, or one that its definition does not allow. */
export function isMissing(definition: AttributeDefinition, attributes: Attributes): boolean {
  if (!definition.required) return false;
  const value = Object.hasOwn(attributes, definition.name) ? attributes[definition.name] : undefined;
  return value === undefined || value === "" || !isAllowed(definition, value);
}

/** Returns the required attributes that have no allowed value. */
export const missingAttributes = (
  definitions: readonly AttributeDefinition[] | undefined,
  attributes: Attributes,
): AttributeDefinition[] => (definitions ?? []).filter((definition) => isMissing(definition, attributes));

/** Returns the names of the values that no definition of the category names, apart from `known` ones. */
export function undefinedNames(
  definitions: readonly AttributeDefinition[] | undefined,
  attributes: Attributes,
  known: readonly string[],
): string[] {
  const names = new Set([...known, ...(definitions ?? []).map(({ name }) => name)]);
  return Object.keys(attributes).filter((name) => !names.has(name));
}

/** Returns attributes with one value changed; undefined removes it. */
export function withValue(attributes: Attributes, name: string, value: Json | undefined): Attributes {
  const { [name]: _, ...rest } = attributes;
  return value === undefined ? rest : { ...rest, [name]: value };
}

/**
 * Returns the value that the key of an attribute sets: the opposite of a flag, or the next choice; undefined for no
 * choice.
 */
export function nextValue({ type, choices, required }: AttributeDefinition, now: Json | undefined): Json | undefined {
  if (type === "flag") return now !== true;
  const at = typeof now === "string" ? choices.indexOf(now) : -1;
  return choices[at + 1] ?? (required ? choices[0] : undefined);
}
