import { plural, t } from "@lingui/core/macro";
import { createStore } from "zustand/vanilla";
import { modification } from "../../../shared/edits/make";
import { same } from "../../../shared/edits/same";
import type { Annotation } from "../../../shared/entities/annotation";
import { type AttributeDefinition, COMMON_FLAGS } from "../../../shared/entities/attribute";
import type { Json } from "../../../shared/entities/scalars";
import { isMissing, nextValue, withValue } from "../../../shared/rules/attributeValues";
import { uuid } from "../../io/uuid";
import type { Commands } from "../document/commands";
import type { DocumentState, SceneCategory } from "../document/document";
import { lockedText } from "../document/locks";
import type { Ui } from "../state/ui";
import { noneSelectedText, requireChangeable } from "./changeable";
import type { Selecting } from "./Selecting";

export interface SelectedAttributesParts {
  document: { readonly state: DocumentState };
  selecting: Selecting;
  commands: Commands;
  ui: Ui;
}

/**
 * The value of an attribute for several annotations. `value`: that of the first annotation; undefined if it has none.
 */
export interface SharedValue {
  value: Json | undefined;
  /** True if the annotations have different values. */
  isMixed: boolean;
}

/** The flags that all annotations have, as definitions. */
export const COMMON_DEFINITIONS: readonly AttributeDefinition[] = COMMON_FLAGS.map((name) => ({
  ...{ name, type: "flag", choices: [], required: false, default: null, key: null },
}));

/** Returns the name of an attribute for the user; the flags that all annotations have are translated. */
export function nameOfAttribute(name: string): string {
  if (name === "occluded") return t`occluded`;
  return name === "truncated" ? t`truncated` : name;
}

/** Returns the value of annotations for the attribute with this name. */
export function sharedValue(annotations: readonly Annotation[], name: string): SharedValue {
  const [first, ...others] = annotations;
  const value = first && valueIn(first, name);
  return { value, isMixed: others.some((each) => !same(valueIn(each, name), value)) };
}

const valueIn = ({ attributes }: Annotation, name: string): Json | undefined =>
  Object.hasOwn(attributes, name) ? attributes[name] : undefined;

/** Returns the attributes that the categories of all these annotations define alike. */
export function sharedDefinitions(
  annotations: readonly Pick<Annotation, "category_id">[],
  categories: readonly SceneCategory[],
): AttributeDefinition[] {
  const ids = new Set(annotations.map(({ category_id }) => category_id));
  const [first, ...others] = categories.filter(({ id }) => ids.has(id)).map(({ attributes }) => attributes ?? []);
  return (first ?? []).filter((definition) => others.every((list) => list.some((each) => isLike(each, definition))));
}

const isLike = (a: AttributeDefinition, b: AttributeDefinition): boolean =>
  a.name === b.name && a.type === b.type && same(a.choices, b.choices);

/** The attributes of the selected annotations. Each change is one undo step and one batch of edits. */
export class SelectedAttributes {
  /** `field`: name of the attribute whose field must get the focus; null for none. */
  readonly store = createStore<{ field: string | null }>(() => ({ field: null }));

  constructor(private readonly parts: SelectedAttributesParts) {}

  get definitions(): AttributeDefinition[] {
    const { document, selecting } = this.parts;
    return sharedDefinitions(selecting.annotations, document.state.categories);
  }

  /**
   * Returns the attributes with a key that a category of the selected annotations defines, one for each key. Where
   * categories define different ones, that of the main annotation's category counts.
   */
  get keyed(): AttributeDefinition[] {
    const { document, selecting } = this.parts;
    const { main, annotations } = selecting;
    const ids = new Set([...(main ? [main] : []), ...annotations].map(({ category_id }) => category_id));
    const all = [...ids].flatMap((id) => document.state.categories.find((each) => each.id === id)?.attributes ?? []);
    return all.filter(({ key }, i) => key !== null && all.findIndex((other) => other.key === key) === i);
  }

  /**
   * Sets a value of annotations, by default of all selected ones; undefined removes it. A field names those that it
   * shows: the click that takes the focus away from it may already have selected others.
   */
  set(name: string, value: Json | undefined, uuids?: readonly string[]): void {
    const { annotations } = this.parts.document.state;
    const shown = uuids?.flatMap((each) => annotations.get(each) ?? []);
    if (shown?.length !== 0) this.setOf(requireChangeable(this.parts, shown), name, value);
  }

  private setOf(annotations: readonly Annotation[], name: string, value: Json | undefined): void {
    const { commands } = this.parts;
    const edits = annotations.flatMap(
      (annotation) =>
        modification(uuid(), annotation, { attributes: withValue(annotation.attributes, name, value) }) ?? [],
    );
    if (edits.length > 0) commands.applyAll(edits, t`Change ${{ name: nameOfAttribute(name) }}`);
  }

  /**
   * Does what the key of an attribute does: switches a flag, sets the next choice, or focuses the field. Annotations
   * whose category does not define the attribute stay as they are; the message counts them.
   */
  press(definition: AttributeDefinition): void {
    const { selecting, ui } = this.parts;
    const { name, type } = definition;
    const changeable = requireChangeable(this.parts);
    if (changeable.length === 0) return;
    const lacking = selecting.annotations.filter((each) => !this.has(each, definition)).length;
    if (type === "number" || type === "text") {
      // The panel has a field only for an attribute of all selected annotations.
      if (lacking === 0) this.requestFocus(name);
      else ui.showMessage(`${lackingText(name, lacking)}. ${t`Select only the others to enter a value`}`);
      return;
    }
    const changed = changeable.filter((each) => this.has(each, definition));
    if (changed.length === 0) {
      ui.showMessage(lockedText());
      return;
    }
    const { value, isMixed } = sharedValue(changed, name);
    const next = nextValue(definition, isMixed ? undefined : value);
    this.setOf(changed, name, next);
    const done = `${nameOfAttribute(name)}: ${textOf(next)}`;
    ui.showMessage(lacking === 0 ? done : `${done}. ${lackingText(name, lacking)}`);
  }

  /** Returns true if an annotation's category defines an attribute, or all categories have it. */
  private has({ category_id }: Annotation, definition: AttributeDefinition): boolean {
    const { categories } = this.parts.document.state;
    const defined = categories.find(({ id }) => id === category_id)?.attributes ?? [];
    return COMMON_DEFINITIONS.includes(definition) || defined.some((each) => isLike(each, definition));
  }

  /**
   * Focuses the field of the first attribute whose required value is missing, otherwise of the first without a value,
   * otherwise of the first. A flag without a value is off, so it lacks nothing.
   */
  edit(): void {
    const { selecting, ui } = this.parts;
    const { annotations } = selecting;
    const { definitions } = this;
    const missing = definitions.find((each) => annotations.some(({ attributes }) => isMissing(each, attributes)));
    const isEmpty = ({ name, type }: AttributeDefinition) =>
      type !== "flag" && sharedValue(annotations, name).value === undefined;
    if (annotations.length === 0) ui.showMessage(noneSelectedText());
    else this.requestFocus((missing ?? definitions.find(isEmpty) ?? definitions[0] ?? COMMON_DEFINITIONS[0]!).name);
  }

  requestFocus(field: string | null): void {
    this.store.setState({ field });
  }
}

const lackingText = (name: string, count: number): string =>
  plural(count, {
    one: `# selected annotation has no attribute “${name}”`,
    other: `# selected annotations have no attribute “${name}”`,
  });

/** Returns a value as text for the user. */
export function textOf(value: Json | undefined): string {
  if (value === undefined || value === null || value === "") return t`none`;
  if (typeof value === "boolean") return value ? t`yes` : t`no`;
  return typeof value === "string" ? value : JSON.stringify(value);
}
