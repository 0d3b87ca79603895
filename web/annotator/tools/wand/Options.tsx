import { Group, NumberInput } from "@mantine/core";
import { MAGIC_WAND } from "../../../../shared/constants";
import type { ToolPanelProps } from "../tool";
import type { WandOptions } from "./options";

/** The magic wand's options. */
export function Options({ options, onChange }: ToolPanelProps<WandOptions>) {
  return (
    <Group gap="xs" grow>
      <Bounded label="Threshold" value={options.threshold} onChange={(threshold) => onChange({ threshold })} />
      <Bounded label="Blur" value={options.blur} onChange={(blur) => onChange({ blur })} />
    </Group>
  );
}

interface BoundedProps {
  label: string;
  value: number;
  onChange: (value: number) => void;
}

function Bounded({ label, value, onChange }: BoundedProps) {
  return (
    <NumberInput
      size="xs"
      label={label}
      value={value}
      min={0}
      max={MAGIC_WAND.max}
      step={5}
      clampBehavior="strict"
      allowNegative={false}
      onChange={(next) => typeof next === "number" && onChange(next)}
    />
  );
}
