import { Button, Group, NumberInput, Stack, Switch } from "@mantine/core";
import { StrokeFields } from "../StrokeFields";
import type { ToolPanelProps } from "../tool";
import type { PolygonOptions } from "./options";

/** The polygon tool's options. */
export function Options({ options, onChange, machine }: ToolPanelProps<PolygonOptions>) {
  return (
    <Stack gap="xs">
      <Group gap="xs" grow>
        <Button size="compact-xs" variant="default" onClick={() => machine.complete?.()}>
          Close Polygon
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => machine.cancel()}>
          Delete Polygon
        </Button>
      </Group>
      <Switch
        size="xs"
        label="Guidance"
        checked={options.guidance}
        onChange={(event) => onChange({ guidance: event.currentTarget.checked })}
      />
      <StrokeFields options={options} onChange={onChange} />
      <Distance
        label="Auto Complete Distance"
        value={options.completeDistance}
        max={1000}
        step={5}
        onChange={(completeDistance) => onChange({ completeDistance })}
      />
      <Distance
        label="Min Distance"
        value={options.minDistance}
        max={500}
        step={2}
        onChange={(minDistance) => onChange({ minDistance })}
      />
    </Stack>
  );
}

interface DistanceProps {
  label: string;
  value: number;
  max: number;
  step: number;
  onChange: (value: number) => void;
}

function Distance({ label, value, max, step, onChange }: DistanceProps) {
  return (
    <NumberInput
      size="xs"
      label={label}
      value={value}
      min={0}
      max={max}
      step={step}
      clampBehavior="strict"
      allowNegative={false}
      onChange={(next) => typeof next === "number" && onChange(next)}
    />
  );
}
