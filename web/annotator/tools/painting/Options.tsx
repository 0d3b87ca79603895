import { t } from "@lingui/core/macro";
import { Group, Slider, Stack, Switch } from "@mantine/core";
import { useId } from "react";
import { BRUSH } from "../../../../shared/constants";
import { NumberField } from "../common/NumberField";
import { StrokeColor } from "../common/StrokeFields";
import type { ToolPanelProps } from "../common/tool";
import type { PaintOptions } from "./options";

/** Options of brush and eraser. */
export function Options({ options, onChange }: ToolPanelProps<PaintOptions>) {
  const id = useId();
  return (
    <Stack gap="xs">
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <NumberField
          id={id}
          w={84}
          label={t`Radius`}
          value={options.radius}
          max={BRUSH.maxRadius}
          step={5}
          onChange={(radius) => onChange({ radius })}
        />
        <RadiusSlider radius={options.radius} onChange={(radius) => onChange({ radius })} />
      </Group>
      <Switch
        label={t`Pen Pressure`}
        checked={options.pressure}
        onChange={(event) => onChange({ pressure: event.currentTarget.checked })}
      />
      <StrokeColor value={options.strokeColor} onChange={(strokeColor) => onChange({ strokeColor })} />
    </Stack>
  );
}

/**
 * Slider for the radius, finer for small brushes: the slider's position is proportional to the square root of the
 * radius.
 */
function RadiusSlider({ radius, onChange }: { radius: number; onChange: (radius: number) => void }) {
  const radiusAt = (place: number) => Math.round(BRUSH.maxRadius * (place / 100) ** 2);
  return (
    <Slider
      size="sm"
      flex={1}
      mb={9}
      thumbLabel={t`Radius`}
      thumbProps={{ "aria-valuetext": t`${radius} pixels` }}
      min={0}
      max={100}
      step={0.5}
      value={100 * Math.sqrt(radius / BRUSH.maxRadius)}
      label={(place) => `${radiusAt(place)} px`}
      onChange={(place) => radiusAt(place) !== radius && onChange(radiusAt(place))}
      // Arrow keys move the thumb and must not trigger shortcuts.
      onKeyDown={(event) => event.key.startsWith("Arrow") && event.stopPropagation()}
    />
  );
}
