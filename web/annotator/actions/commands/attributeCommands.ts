import { t } from "@lingui/core/macro";
import type { Command } from "../../keyboard/shortcuts";
import { COMMON_DEFINITIONS, type SelectedAttributes } from "../../selected/SelectedAttributes";

const KEYS: Readonly<Record<string, string[]>> = { occluded: ["shift", "q"], truncated: ["shift", "w"] };
const group = "Annotations";

/** Commands for the attributes of the selected annotations. */
export function attributeCommands({ attributes }: { attributes: SelectedAttributes }): Command[] {
  return [
    { id: "attributes", name: t`Edit Attributes`, group, keys: [["shift", "u"]], run: () => attributes.edit() },
    ...COMMON_DEFINITIONS.map(
      (definition): Command => ({
        id: definition.name,
        name: definition.name === "occluded" ? t`Occluded On or Off` : t`Truncated On or Off`,
        group,
        keys: [KEYS[definition.name] ?? []],
        run: () => attributes.press(definition),
      }),
    ),
  ];
}

/**
 * Returns commands for the attribute keys that the categories of selected annotations define. While such annotations
 * are selected, these commands take precedence over others with the same key.
 */
export function definedCommands({ attributes }: { attributes: SelectedAttributes }): Command[] {
  return attributes.keyed.flatMap((definition): Command[] => {
    const { name, key } = definition;
    const run = () => attributes.press(definition);
    return key === null ? [] : [{ id: `attribute ${name}`, name: t`Attribute ${name}`, group, keys: [[key]], run }];
  });
}
