import { t } from "@lingui/core/macro";
import { Select, Stack, Switch } from "@mantine/core";
import type { ToolPanelProps } from "../common/tool";
import type { KeypointOptions } from "./options";
import { visibilities } from "./visibilities";

/** The keypoints tool's options. */
export function Options({ options, onChange }: ToolPanelProps<KeypointOptions>) {
  return (
    <Stack gap="xs">
      <Select
        size="xs"
        label={t`Visibility of New Keypoints`}
        allowDeselect={false}
        data={visibilities()}
        value={String(options.visibility)}
        onChange={(value) => value !== null && onChange({ visibility: Number(value) })}
      />
      <Switch
        size="xs"
        label={t`Show Next Label at Pointer`}
        checked={options.showLabel}
        onChange={(event) => onChange({ showLabel: event.currentTarget.checked })}
      />
    </Stack>
  );
}
