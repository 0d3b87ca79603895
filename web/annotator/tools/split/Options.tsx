import { Button, Group, Stack } from "@mantine/core";
import type { StrokeOptions } from "../common/ports";
import { StrokeFields } from "../common/StrokeFields";
import type { ToolPanelProps } from "../common/tool";

/** The split tool's options. */
export function Options({ options, onChange, machine, isDrawing }: ToolPanelProps<StrokeOptions>) {
  return (
    <Stack gap="xs">
      <Group gap="xs" grow>
        <Button size="compact-xs" variant="default" disabled={!isDrawing} onClick={() => machine.complete?.()}>
          Split
        </Button>
        <Button size="compact-xs" variant="default" disabled={!isDrawing} onClick={() => machine.cancel()}>
          Delete Line
        </Button>
      </Group>
      <StrokeFields options={options} onChange={onChange} />
    </Stack>
  );
}
