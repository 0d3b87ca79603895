import { Switch } from "@mantine/core";
import type { ToolPanelProps } from "../common/tool";
import type { SelectOptions } from "./SelectTool";

/** The select tool's options. */
export function Options({ options, onChange }: ToolPanelProps<SelectOptions>) {
  return (
    <Switch
      size="xs"
      label="Show Hover Text"
      checked={options.showText}
      onChange={(event) => onChange({ showText: event.currentTarget.checked })}
    />
  );
}
