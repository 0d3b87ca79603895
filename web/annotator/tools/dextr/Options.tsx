import { t } from "@lingui/core/macro";
import { Group, Stack, Text } from "@mantine/core";
import { useStore } from "zustand";
import { DEXTR } from "../../../../shared/constants";
import { NumberField } from "../common/NumberField";
import type { ToolPanelProps } from "../common/tool";
import type { DextrTool } from "./DextrTool";
import type { DextrOptions } from "./options";
import { Progress } from "./Progress";
import { RuntimeSelect } from "./RuntimeSelect";
import { ThresholdSlider } from "./ThresholdSlider";

/** DEXTR's progress, options, and choice of runtime. */
export function Options({ options, onChange, machine }: ToolPanelProps<DextrOptions, DextrTool>) {
  const { runtime, why } = useStore(machine.dextr.status);
  return (
    <Stack gap="xs">
      <Progress machine={machine} />
      <ThresholdSlider threshold={options.threshold} onChange={(threshold) => onChange({ threshold })} />
      <Group gap="xs" grow wrap="nowrap" preventGrowOverflow={false}>
        <NumberField
          label={t`Padding`}
          value={options.padding}
          max={DEXTR.maxPadding}
          step={5}
          allowDecimal={false}
          onChange={(padding) => onChange({ padding })}
        />
        <RuntimeSelect dextr={machine.dextr} />
      </Group>
      {runtime && (
        <Text size="xs" c="dimmed">
          {why}
        </Text>
      )}
    </Stack>
  );
}
