import { t } from "@lingui/core/macro";
import { Group } from "@mantine/core";
import { MAGIC_WAND } from "../../../../shared/constants";
import { NumberField } from "../common/NumberField";
import type { ToolPanelProps } from "../common/tool";
import type { WandOptions } from "./options";

/** The magic wand's options. */
export function Options({ options, onChange }: ToolPanelProps<WandOptions>) {
  return (
    <Group gap="xs" grow>
      <NumberField
        label={t`Threshold`}
        value={options.threshold}
        max={MAGIC_WAND.max}
        step={5}
        onChange={(threshold) => onChange({ threshold })}
      />
      <NumberField
        label={t`Blur`}
        value={options.blur}
        max={MAGIC_WAND.max}
        step={5}
        onChange={(blur) => onChange({ blur })}
      />
    </Group>
  );
}
