import type { MessageDescriptor } from "@lingui/core";
import { Button, Stack } from "@mantine/core";
import { i18n } from "../../../languages/i18n";
import type { StrokeOptions } from "../common/ports";
import { StrokeFields } from "../common/StrokeFields";
import type { ToolPanelProps } from "../common/tool";

/**
 * Returns the options panel of a tool that draws between two corners. `deletes`: text of the button that discards the
 * unfinished shape.
 */
export function optionsPanel(deletes: MessageDescriptor) {
  return function Options({ options, onChange, machine, isDrawing }: ToolPanelProps<StrokeOptions>) {
    return (
      <Stack gap="xs">
        <Button size="compact-xs" variant="default" disabled={!isDrawing} onClick={() => machine.cancel()}>
          {i18n._(deletes)}
        </Button>
        <StrokeFields options={options} onChange={onChange} />
      </Stack>
    );
  };
}
