import { Group, Slider, Text } from "@mantine/core";
import { DEXTR } from "../../../../shared/constants";

interface Props {
  threshold: number;
  onChange: (threshold: number) => void;
}

/** How sure the network must be: less takes in more. */
export function ThresholdSlider({ threshold, onChange }: Props) {
  return (
    <div>
      <Group justify="space-between" mb={2}>
        <Text size="xs" fw={500}>
          Threshold
        </Text>
        <Text size="xs" c="dimmed">
          {threshold}
        </Text>
      </Group>
      <Slider
        size="sm"
        label={null}
        thumbLabel="Threshold"
        min={0}
        max={DEXTR.maxThreshold}
        step={1}
        value={threshold}
        onChange={onChange}
        // Arrow keys move the thumb here and mean nothing else.
        onKeyDown={(event) => event.key.startsWith("Arrow") && event.stopPropagation()}
      />
    </div>
  );
}
