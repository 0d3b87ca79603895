import { msg, t } from "@lingui/core/macro";
import { Checkbox, Group, NumberInput, Stack, Text, TextInput } from "@mantine/core";
import { SPLITS } from "../../../../shared/entities/export";
import { i18n } from "../../../languages/i18n";
import type { ExportValues } from "./exportValues";

interface Props {
  values: ExportValues;
  problem: string | undefined;
  onChange: (changed: Partial<ExportValues>) => void;
}

const LABELS = { train: msg`Train`, val: msg`Validation`, test: msg`Test` } as const;

/** Fields to split images into train, validation and test sets, with shares and seed. */
export function SplitFields({ values: { isSplit, shares, seed }, problem, onChange }: Props) {
  return (
    <Stack gap="xs">
      <Checkbox
        label={t`Split into train, validation and test sets`}
        description={t`The same images and seed always give the same split`}
        checked={isSplit}
        onChange={(event) => onChange({ isSplit: event.currentTarget.checked })}
      />
      {isSplit && (
        <Group gap="xs" align="flex-start" wrap="nowrap" grow>
          {SPLITS.map((split) => (
            <NumberInput
              key={split}
              label={i18n._(LABELS[split])}
              value={shares[split]}
              onChange={(value) => onChange({ shares: { ...shares, [split]: value } })}
              min={0}
              max={100}
              suffix="%"
              allowNegative={false}
              decimalScale={2}
            />
          ))}
          <TextInput
            label={t`Seed`}
            value={seed}
            onChange={(event) => onChange({ seed: event.currentTarget.value })}
            maxLength={100}
          />
        </Group>
      )}
      {problem && (
        <Text size="xs" c="red" role="alert">
          {problem}
        </Text>
      )}
    </Stack>
  );
}
