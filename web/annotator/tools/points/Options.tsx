import { Button, Group, Stack } from "@mantine/core";
import type { StrokeOptions } from "../common/ports";
import { StrokeFields } from "../common/StrokeFields";
import type { ToolPanelProps } from "../common/tool";

/**
 * Returns the options panel of a tool that draws an open line. `completes`: text of the button that completes the line.
 */
export function optionsPanel(completes: string) {
  return function Options({ options, onChange, machine, isDrawing }: ToolPanelProps<StrokeOptions>) {
    return (
      <Stack gap="xs">
        <Group gap="xs" grow>
          <Button size="compact-xs" variant="default" disabled={!isDrawing} onClick={() => machine.complete?.()}>
            {completes}
          </Button>
          <Button size="compact-xs" variant="default" disabled={!isDrawing} onClick={() => machine.cancel()}>
            Delete Line
          </Button>
        </Group>
        <StrokeFields options={options} onChange={onChange} />
      </Stack>
    );
  };
}
