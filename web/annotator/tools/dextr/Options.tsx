import { NumberInput, Stack } from "@mantine/core";
import { DEXTR } from "../../../../shared/constants";
import type { ToolPanelProps } from "../tool";
import type { DextrTool } from "./DextrTool";
import type { DextrOptions } from "./options";
import { Progress } from "./Progress";
import { RuntimeFields } from "./RuntimeFields";
import { ThresholdSlider } from "./ThresholdSlider";

/** What DEXTR is doing, its options, and where its network runs. */
export function Options({ options, onChange, machine }: ToolPanelProps<DextrOptions, DextrTool>) {
  return (
    <Stack gap="xs">
      <Progress machine={machine} />
      <ThresholdSlider threshold={options.threshold} onChange={(threshold) => onChange({ threshold })} />
      <NumberInput
        size="xs"
        label="Padding"
        description="Pixels around the points that the network sees"
        value={options.padding}
        min={0}
        max={DEXTR.maxPadding}
        step={5}
        clampBehavior="strict"
        allowNegative={false}
        allowDecimal={false}
        onChange={(padding) => typeof padding === "number" && onChange({ padding })}
      />
      <RuntimeFields dextr={machine.dextr} />
    </Stack>
  );
}
