import { ActionIcon, Button, Group, Input, Stack, TextInput } from "@mantine/core";
import { Plus, X } from "lucide-react";
import type { MetadataRow } from "./metadata";

interface Props {
  label: string;
  description?: string;
  rows: MetadataRow[];
  onChange: (rows: MetadataRow[]) => void;
}

/** A free key/value map as rows. */
export function MetadataEditor({ label, description, rows, onChange }: Props) {
  const change = (index: number, part: Partial<MetadataRow>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...part } : row)));
  return (
    <Input.Wrapper label={label} description={description} labelElement="div">
      <Stack gap={6} mt={6}>
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity, their key is being typed
          <Group key={index} gap={6} wrap="nowrap">
            <TextInput
              flex={1}
              placeholder="Key"
              aria-label={`Key ${index + 1}`}
              value={row.key}
              onChange={(event) => change(index, { key: event.currentTarget.value })}
            />
            <TextInput
              flex={1}
              placeholder="Value"
              aria-label={`Value ${index + 1}`}
              value={row.value}
              onChange={(event) => change(index, { value: event.currentTarget.value })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Remove ${row.key || `row ${index + 1}`}`}
              onClick={() => onChange(rows.filter((_, at) => at !== index))}
            >
              <X size={16} />
            </ActionIcon>
          </Group>
        ))}
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<Plus size={14} />}
          onClick={() => onChange([...rows, { key: "", value: "" }])}
          style={{ alignSelf: "start" }}
        >
          Add entry
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}
