import { ColorInput, Switch } from "@mantine/core";
import type { StrokeOptions } from "./tool";

interface Props {
  options: StrokeOptions;
  onChange: (change: Partial<StrokeOptions>) => void;
}

/** How the stroke of an unfinished shape is coloured; polygon and box have it in common. */
export function StrokeFields({ options, onChange }: Props) {
  return (
    <>
      <Switch
        size="xs"
        label="Auto Select Color"
        checked={options.auto}
        onChange={(event) => onChange({ auto: event.currentTarget.checked })}
      />
      {options.auto ? (
        <Switch
          size="xs"
          label="Only Black or White"
          checked={options.blackOrWhite}
          onChange={(event) => onChange({ blackOrWhite: event.currentTarget.checked })}
        />
      ) : (
        <ColorInput
          size="xs"
          label="Stroke Color"
          format="hex"
          value={options.strokeColor}
          onChangeEnd={(strokeColor) => /^#[0-9a-f]{6}$/i.test(strokeColor) && onChange({ strokeColor })}
        />
      )}
    </>
  );
}
