import { t } from "@lingui/core/macro";
import { Button, Group, Stack } from "@mantine/core";
import { NumberField } from "../common/NumberField";
import { StrokeFields } from "../common/StrokeFields";
import type { ToolPanelProps } from "../common/tool";
import type { ScissorsOptions } from "./options";

/** The options of the intelligent scissors. */
export function Options({ options, onChange, machine, isDrawing }: ToolPanelProps<ScissorsOptions>) {
  return (
    <Stack gap="xs">
      <Group gap="xs" grow preventGrowOverflow={false}>
        <Button size="compact-xs" variant="default" disabled={!isDrawing} onClick={() => machine.complete?.()}>
          {t`Close Outline`}
        </Button>
        <Button size="compact-xs" variant="default" disabled={!isDrawing} onClick={() => machine.cancel()}>
          {t`Delete Outline`}
        </Button>
      </Group>
      <NumberField
        label={t`Snap Distance`}
        value={options.snap}
        max={50}
        step={1}
        onChange={(snap) => onChange({ snap })}
      />
      <StrokeFields options={options} onChange={onChange} />
    </Stack>
  );
}
