import { colorInPalette, colorOfName } from "../../../shared/color/palettes";
import type { AttributeDefinition } from "../../../shared/entities/attribute";
import type { Json } from "../../../shared/entities/scalars";

/** Colour of annotations without a value. */
export const NO_VALUE = "#9a9a9a";

/** Colours of a flag that is off and of one that is on, from a palette that is safe with colour blindness. */
const [ON, OFF] = [colorInPalette("Okabe–Ito", 0), colorInPalette("Okabe–Ito", 1)];

/**
 * Returns the colour that an attribute's value gives to shapes. Choices have the colours of a palette that is safe with
 * colour blindness, in their order; numbers and texts a colour of their own. `definition`: undefined for an attribute
 * that the category does not define.
 */
export function colorOfValue(
  value: Json | undefined,
  definition?: Pick<AttributeDefinition, "type" | "choices">,
): string {
  if (value === undefined || value === null || value === "") return NO_VALUE;
  if (typeof value === "boolean") return value ? ON : OFF;
  const choice = definition?.type === "choice" ? definition.choices.indexOf(String(value)) : -1;
  return choice < 0 ? colorOfName(JSON.stringify(value)) : colorInPalette("Okabe–Ito", choice);
}
