import type { MessageDescriptor } from "@lingui/core";
import { t } from "@lingui/core/macro";
import { Button, Group, Stack } from "@mantine/core";
import { i18n } from "../../../languages/i18n";
import type { StrokeOptions } from "../common/ports";
import { StrokeFields } from "../common/StrokeFields";
import type { ToolPanelProps } from "../common/tool";

/**
 * Returns the options panel of a tool that draws an open line. `completes`: text of the button that completes the line.
 */
export function optionsPanel(completes: MessageDescriptor) {
  return function Options({ options, onChange, machine, isDrawing }: ToolPanelProps<StrokeOptions>) {
    return (
      <Stack gap="xs">
        <Group gap="xs" grow preventGrowOverflow={false}>
          <Button size="compact-xs" variant="default" disabled={!isDrawing} onClick={() => machine.complete?.()}>
            {i18n._(completes)}
          </Button>
          <Button size="compact-xs" variant="default" disabled={!isDrawing} onClick={() => machine.cancel()}>
            {t`Delete Line`}
          </Button>
        </Group>
        <StrokeFields options={options} onChange={onChange} />
      </Stack>
    );
  };
}
