import { t } from "@lingui/core/macro";
import { X } from "lucide-react";
import { useEffect, useMemo, useRef } from "react";
import { useStore } from "zustand";
import { RESERVED_ATTRIBUTES } from "../../../../shared/entities/attribute";
import type { Json } from "../../../../shared/entities/scalars";
import { isMissing, undefinedNames } from "../../../../shared/rules/attributeValues";
import { useDocument, useEditor, useSelection } from "../../editor/context";
import { COMMON_DEFINITIONS, sharedDefinitions, sharedValue, textOf } from "../../selected/SelectedAttributes";
import { AttributeField } from "./AttributeField";
import classes from "./Attributes.module.css";

/**
 * Fields for the attributes of the selected annotations: those that their category defines, the flags that all have,
 * and values that the category no longer defines.
 */
export function AttributePanel() {
  const editor = useEditor();
  const { attributes } = editor;
  const all = useSelection((state) => state.all);
  const stored = useDocument((state) => state.annotations);
  const categories = useDocument((state) => state.categories);
  const annotations = useMemo(() => [...all].flatMap((uuid) => stored.get(uuid) ?? []), [all, stored]);
  const definitions = useMemo(() => sharedDefinitions(annotations, categories), [annotations, categories]);
  const panel = useRef<HTMLElement>(null);
  const field = useStore(attributes.store, (state) => state.field);
  useEffect(() => {
    if (field === null) return;
    const found = panel.current?.querySelector<HTMLElement>(`[data-attribute="${CSS.escape(field)}"]`);
    (found?.matches("input") ? found : found?.querySelector<HTMLElement>("input"))?.focus();
    attributes.requestFocus(null);
  }, [field, attributes]);
  if (annotations.length === 0) return null;
  const names =
    annotations.length === 1 ? undefinedNames(definitions, annotations[0]!.attributes, RESERVED_ATTRIBUTES) : [];
  const identity = annotations.length === 1 ? annotations[0]!.uuid : "many";
  const isLacking = definitions.some((definition) =>
    annotations.some((each) => isMissing(definition, each.attributes)),
  );
  const set = (name: string, value: Json | undefined) =>
    attributes.set(
      name,
      value,
      annotations.map(({ uuid }) => uuid),
    );
  const showNotApplied = (name: string) => (typed: string, value: string) =>
    editor.ui.showMessage(
      t`“${typed}” was not stored: another user has changed ${name} to “${{ value: value === "" ? "–" : value }}”`,
    );
  return (
    <section ref={panel} className={classes.panel} aria-label={t`Attributes`}>
      <div className={classes.title}>
        {t`Attributes`}
        {isLacking && <span className={classes.lacking}>{t`Required values are missing`}</span>}
      </div>
      <div className={classes.fields}>
        {definitions.map((definition) => (
          <AttributeField
            key={`${identity} ${definition.name}`}
            definition={definition}
            shared={sharedValue(annotations, definition.name)}
            isLacking={annotations.some((each) => isMissing(definition, each.attributes))}
            onChange={(value) => set(definition.name, value)}
            onDone={() => editor.focus()}
            onNotApplied={showNotApplied(definition.name)}
          />
        ))}
        <div className={classes.flags}>
          {COMMON_DEFINITIONS.map((definition) => (
            <AttributeField
              key={definition.name}
              definition={definition}
              shared={sharedValue(annotations, definition.name)}
              isLacking={false}
              onChange={(value) => set(definition.name, value)}
              onDone={() => editor.focus()}
              onNotApplied={showNotApplied(definition.name)}
            />
          ))}
        </div>
        {names.map((name) => (
          <div key={name} className={classes.other} title={t`The category no longer defines this attribute`}>
            <span className={classes.name}>{name}</span>
            <span className={classes.value}>{textOf(annotations[0]!.attributes[name])}</span>
            <span className={classes.note}>{t`not defined`}</span>
            <button
              type="button"
              className={classes.remove}
              aria-label={t`Remove ${name}`}
              title={t`Remove ${name}`}
              onClick={() => set(name, undefined)}
            >
              <X size={13} />
            </button>
          </div>
        ))}
      </div>
    </section>
  );
}
