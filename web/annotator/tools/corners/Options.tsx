import { Button, Stack } from "@mantine/core";
import type { StrokeOptions } from "../common/ports";
import { StrokeFields } from "../common/StrokeFields";
import type { ToolPanelProps } from "../common/tool";

/**
 * Returns the options panel of a tool that draws between two corners. `deletes`: text of the button that discards the
 * unfinished shape.
 */
export function optionsPanel(deletes: string) {
  return function Options({ options, onChange, machine, isDrawing }: ToolPanelProps<StrokeOptions>) {
    return (
      <Stack gap="xs">
        <Button size="compact-xs" variant="default" disabled={!isDrawing} onClick={() => machine.cancel()}>
          {deletes}
        </Button>
        <StrokeFields options={options} onChange={onChange} />
      </Stack>
    );
  };
}
