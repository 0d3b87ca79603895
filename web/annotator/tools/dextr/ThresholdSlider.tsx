import { Group, Input, Slider, Text } from "@mantine/core";
import { DEXTR } from "../../../../shared/constants";

const USUAL = [{ value: DEXTR.threshold }];

interface Props {
  threshold: number;
  onChange: (threshold: number) => void;
}

/** Required certainty of the network: a lower one takes in more. */
export function ThresholdSlider({ threshold, onChange }: Props) {
  return (
    <div>
      <Group justify="space-between" mb={2}>
        <Input.Label size="xs" labelElement="div">
          Threshold
        </Input.Label>
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
        marks={USUAL}
        value={threshold}
        onChange={onChange}
        // Arrow keys move the thumb here and mean nothing else.
        onKeyDown={(event) => event.key.startsWith("Arrow") && event.stopPropagation()}
      />
    </div>
  );
}
