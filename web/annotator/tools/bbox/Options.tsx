import { Button, Stack } from "@mantine/core";
import type { StrokeOptions } from "../common/ports";
import { StrokeFields } from "../common/StrokeFields";
import type { ToolPanelProps } from "../common/tool";

/** The box tool's options. */
export function Options({ options, onChange, machine, isDrawing }: ToolPanelProps<StrokeOptions>) {
  return (
    <Stack gap="xs">
      <Button size="compact-xs" variant="default" disabled={!isDrawing} onClick={() => machine.cancel()}>
        Delete BBox
      </Button>
      <StrokeFields options={options} onChange={onChange} />
    </Stack>
  );
}
