import { z } from "zod";
import { text } from "./scalars";

/** Attributes: typed values of annotations, which their category defines. */

export const ATTRIBUTE_TYPES = ["flag", "choice", "number", "text"] as const;
export type AttributeType = (typeof ATTRIBUTE_TYPES)[number];

/** The flags that annotations of every category have, under the keys that COCO files of other tools use. */
export const COMMON_FLAGS = ["occluded", "truncated"] as const;

/** Names that no category defines, because they have a meaning for all annotations. */
export const RESERVED_ATTRIBUTES: readonly string[] = [...COMMON_FLAGS, "group_id", "z_order"];

/** Largest number of attributes of a category, and of choices of an attribute. */
export const MAX_ATTRIBUTES = 50;
export const MAX_CHOICES = 200;
/** Maximum length of an attribute's name and of a choice, in UTF-16 code units. */
export const MAX_ATTRIBUTE_TEXT = 200;

const word = text(MAX_ATTRIBUTE_TEXT).refine((value) => value.trim() !== "", "A name is required");

/**
 * One attribute that a category defines. `default`: the value of new annotations, null for none. `key`: a key that
 * changes the attribute of the selected annotations, as `KeyboardEvent.key` in lower case; null for none.
 */
export const attributeDefinition = z.object({
  name: word
    .refine((name) => !RESERVED_ATTRIBUTES.includes(name), "This name is reserved")
    .refine((name) => name !== "__proto__", "Invalid name"),
  type: z.enum(ATTRIBUTE_TYPES),
  /** The values of a choice, in order; empty for other types. */
  choices: z.array(word).max(MAX_CHOICES),
  required: z.boolean(),
  default: z.union([text(1000), z.number(), z.boolean()]).nullable(),
  key: text(1).min(1).nullable(),
});
export type AttributeDefinition = z.infer<typeof attributeDefinition>;

/** All attributes of a category, with distinct names. */
export const attributeDefinitions = z
  .array(attributeDefinition)
  .max(MAX_ATTRIBUTES)
  .refine((list) => new Set(list.map(({ name }) => name)).size === list.length, "Two attributes have the same name");
