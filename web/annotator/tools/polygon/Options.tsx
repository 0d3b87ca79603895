import { t } from "@lingui/core/macro";
import { Button, Group, Stack, Switch } from "@mantine/core";
import { NumberField } from "../common/NumberField";
import { StrokeFields } from "../common/StrokeFields";
import type { ToolPanelProps } from "../common/tool";
import type { PolygonOptions } from "./options";

/** The polygon tool's options. */
export function Options({ options, onChange, machine, isDrawing }: ToolPanelProps<PolygonOptions>) {
  return (
    <Stack gap="xs">
      <Group gap="xs" grow preventGrowOverflow={false}>
        <Button size="compact-xs" variant="default" disabled={!isDrawing} onClick={() => machine.complete?.()}>
          {t`Close Polygon`}
        </Button>
        <Button size="compact-xs" variant="default" disabled={!isDrawing} onClick={() => machine.cancel()}>
          {t`Delete Polygon`}
        </Button>
      </Group>
      <Switch
        size="xs"
        label={t`Guidance`}
        checked={options.guidance}
        onChange={(event) => onChange({ guidance: event.currentTarget.checked })}
      />
      <StrokeFields options={options} onChange={onChange} />
      <NumberField
        label={t`Auto Complete Distance`}
        value={options.completeDistance}
        max={1000}
        step={5}
        onChange={(completeDistance) => onChange({ completeDistance })}
      />
      <NumberField
        label={t`Min Distance`}
        value={options.minDistance}
        max={500}
        step={2}
        onChange={(minDistance) => onChange({ minDistance })}
      />
    </Stack>
  );
}
