import { t } from "@lingui/core/macro";
import { Switch } from "@mantine/core";
import { useState } from "react";
import { isColor } from "../../../../shared/color/hex";
import { ColorField } from "../../../components/forms/ColorField";
import type { StrokeOptions } from "./ports";

interface Props {
  options: StrokeOptions;
  onChange: (change: Partial<StrokeOptions>) => void;
}

/** Fields for the stroke colour of an unfinished shape, shared by the tools that draw outlines. */
export function StrokeFields({ options, onChange }: Props) {
  return (
    <>
      <Switch
        size="xs"
        label={t`Auto Select Color`}
        checked={options.auto}
        onChange={(event) => onChange({ auto: event.currentTarget.checked })}
      />
      {options.auto ? (
        <Switch
          size="xs"
          label={t`Only Black or White`}
          checked={options.blackOrWhite}
          onChange={(event) => onChange({ blackOrWhite: event.currentTarget.checked })}
        />
      ) : (
        <StrokeColor value={options.strokeColor} onChange={(strokeColor) => onChange({ strokeColor })} />
      )}
    </>
  );
}

/** Field for a stroke colour. Text that is not `#rrggbb` is shown but not applied. */
export function StrokeColor({ value, onChange }: { value: string; onChange: (color: string) => void }) {
  const [text, setText] = useState(value);
  const handleChange = (color: string) => {
    setText(color);
    if (isColor(color)) onChange(color);
  };
  return <ColorField size="xs" label={t`Stroke Color`} value={text} onChange={handleChange} />;
}
