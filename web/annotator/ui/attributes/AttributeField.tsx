import { t } from "@lingui/core/macro";
import { Checkbox, NumberInput, Select, TextInput } from "@mantine/core";
import type { AttributeDefinition } from "../../../../shared/entities/attribute";
import type { Json } from "../../../../shared/entities/scalars";
import { isAllowed } from "../../../../shared/rules/attributeValues";
import { useTypedText } from "../../../components/forms/useTypedText";
import { nameOfAttribute, type SharedValue, textOf } from "../../selected/SelectedAttributes";
import classes from "./Attributes.module.css";
import { OvertakenNote } from "./OvertakenNote";

interface Props {
  definition: AttributeDefinition;
  shared: SharedValue;
  /** True if an annotation lacks a required value. */
  isLacking: boolean;
  onChange: (value: Json | undefined) => void;
  /** Called when the user has chosen a value or pressed Enter, so that the image gets the keyboard focus again. */
  onDone: () => void;
  /** Called if the field disappears with a typed text that would have replaced another user's value. */
  onNotApplied: (typed: string, value: string) => void;
}

/** Field for one attribute of the selected annotations. */
export function AttributeField(props: Props) {
  const { definition, shared, isLacking, onChange } = props;
  const { name, type, key, required } = definition;
  const shown = nameOfAttribute(name);
  const label = key === null ? shown : `${shown} (${key.toUpperCase()})`;
  const isOdd = shared.value !== undefined && !shared.isMixed && !isAllowed(definition, shared.value);
  const title = isOdd ? t`“${{ value: textOf(shared.value) }}” is not allowed here` : label;
  if (type === "flag")
    return (
      <Checkbox
        size="xs"
        label={
          <>
            {shown}
            <Key of={key} />
          </>
        }
        title={title}
        data-attribute={name}
        checked={shared.value === true && !shared.isMixed}
        indeterminate={shared.isMixed}
        error={isLacking}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    );
  return (
    <div className={classes.field} data-lacking={isLacking || undefined} title={title}>
      <span className={classes.name} aria-hidden>
        {name}
        {required && <span className={classes.star}>*</span>}
        <Key of={key} />
      </span>
      <Input {...props} isLacking={isLacking || isOdd} />
    </div>
  );
}

const Key = ({ of: key }: { of: string | null }) => (key === null ? null : <kbd className={classes.key}>{key}</kbd>);

function Input({ definition, shared: { value, isMixed }, isLacking, onChange, onDone, onNotApplied }: Props) {
  const { name, type, choices, required } = definition;
  const placeholder = isMixed ? t`Different values` : isLacking && value === undefined ? t`Required` : "–";
  const common = { size: "xs", "aria-label": name, "data-attribute": name, placeholder, error: isLacking } as const;
  if (type === "choice") {
    const chosen = typeof value === "string" && !isMixed ? value : null;
    // A value that is no longer a choice stays until the user chooses another one.
    const data = chosen === null || choices.includes(chosen) ? choices : [...choices, chosen];
    return (
      <Select
        {...common}
        data={data}
        value={chosen}
        clearable={!required}
        searchable={data.length > 8}
        comboboxProps={{ withinPortal: true }}
        onChange={(next) => {
          onChange(next ?? undefined);
          onDone();
        }}
      />
    );
  }
  const shown = isMixed || value === undefined ? "" : textOf(value);
  const handlers = { onCommit: onChange, onDone, onNotApplied };
  return <Typed {...common} isNumber={type === "number"} shown={shown} {...handlers} />;
}

interface TypedProps {
  isNumber: boolean;
  shown: string;
  onCommit: (value: Json | undefined) => void;
  onDone: () => void;
  onNotApplied: Props["onNotApplied"];
  placeholder: string;
  error: boolean;
}

/** Field that takes effect on Enter and when it loses the focus. Escape restores the value. */
function Typed({ isNumber, shown, onCommit, onDone, onNotApplied, ...common }: TypedProps) {
  const commit = (typed: string) => {
    if (typed === "") onCommit(undefined);
    else if (!isNumber) onCommit(typed);
    else if (Number.isFinite(Number(typed))) onCommit(Number(typed));
  };
  // Moving the focus away commits the value.
  const { text, overtaken, isAsked, apply, reset, type, onFocus, onBlur, onKeyDown } = useTypedText(shown, commit, {
    onEnter: onDone,
    onNotApplied: (typed) => onNotApplied(typed, shown),
  });
  const handlers = { onFocus, onBlur, onKeyDown };
  const note = {
    description: overtaken !== null && (
      <OvertakenNote value={overtaken} isAsked={isAsked} onReplace={apply} onKeep={reset} />
    ),
    descriptionProps: { component: "div" as const },
    // Below, so that the field does not move while the user types.
    inputWrapperOrder: ["input" as const, "description" as const],
  };
  if (isNumber)
    return (
      <NumberInput
        size="xs"
        {...common}
        {...note}
        {...handlers}
        hideControls
        value={text}
        onChange={(next) => type(String(next))}
      />
    );
  return (
    <TextInput
      size="xs"
      {...common}
      {...note}
      {...handlers}
      maxLength={1000}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}
