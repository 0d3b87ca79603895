import { t } from "@lingui/core/macro";
import { Stack, Switch } from "@mantine/core";
import type { ToolPanelProps } from "../common/tool";
import type { SelectOptions } from "./SelectTool";

/** The select tool's options. */
export function Options({ options, onChange }: ToolPanelProps<SelectOptions>) {
  return (
    <Stack gap="xs">
      <Switch
        size="xs"
        label={t`Show Hover Text`}
        checked={options.showText}
        onChange={(event) => onChange({ showText: event.currentTarget.checked })}
      />
      <Switch
        size="xs"
        label={t`Select with Lasso`}
        checked={options.lasso}
        onChange={(event) => onChange({ lasso: event.currentTarget.checked })}
      />
    </Stack>
  );
}
