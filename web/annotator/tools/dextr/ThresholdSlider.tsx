import { t } from "@lingui/core/macro";
import { Group, Input, Slider, Text } from "@mantine/core";
import { DEXTR } from "../../../../shared/constants";

const DEFAULT_MARK = [{ value: DEXTR.threshold }];

interface Props {
  threshold: number;
  onChange: (threshold: number) => void;
}

/** Field for the certainty that the network must have: a lower threshold gives a larger outline. */
export function ThresholdSlider({ threshold, onChange }: Props) {
  return (
    <div>
      <Group justify="space-between" mb={2}>
        <Input.Label size="xs" labelElement="div">
          {t`Threshold`}
        </Input.Label>
        <Text size="xs" c="dimmed">
          {threshold}
        </Text>
      </Group>
      <Slider
        size="sm"
        label={null}
        thumbLabel={t`Threshold`}
        min={0}
        max={DEXTR.maxThreshold}
        step={1}
        marks={DEFAULT_MARK}
        value={threshold}
        onChange={onChange}
        // Arrow keys move the thumb and must not trigger shortcuts.
        onKeyDown={(event) => event.key.startsWith("Arrow") && event.stopPropagation()}
      />
    </div>
  );
}
