import { Button, Stack } from "@mantine/core";
import { StrokeFields } from "../common/StrokeFields";
import type { StrokeOptions, ToolPanelProps } from "../common/tool";

/** The box tool's options. */
export function Options({ options, onChange, machine }: ToolPanelProps<StrokeOptions>) {
  return (
    <Stack gap="xs">
      <Button size="compact-xs" variant="default" onClick={() => machine.cancel()}>
        Delete BBox
      </Button>
      <StrokeFields options={options} onChange={onChange} />
    </Stack>
  );
}
