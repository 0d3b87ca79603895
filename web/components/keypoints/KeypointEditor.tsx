import { ActionIcon, Button, Group, Input, MultiSelect, Stack, TextInput } from "@mantine/core";
import { Plus, X } from "lucide-react";
import { ColorField } from "../forms/ColorField";
import { addRow, changeRow, errorsOf, type KeypointRow, removeRow, setEdges } from "./keypointRows";

/** Editor of a category's keypoint labels, their colours and the edges between them. */
export function KeypointEditor({ rows, onChange }: { rows: KeypointRow[]; onChange: (rows: KeypointRow[]) => void }) {
  const errors = errorsOf(rows);
  return (
    <Input.Wrapper label="Keypoints" labelElement="div">
      <Stack gap={6} mt={6}>
        {rows.map((row, index) => (
          <Group key={row.key} gap={6} align="start">
            <ColorField
              w={112}
              aria-label={`Color of keypoint ${index + 1}`}
              value={row.color}
              onChange={(color) => onChange(changeRow(rows, row.key, { color }))}
              withEyeDropper={false}
              // Errors of the whole row are shown at the label field.
              error={false}
            />
            <TextInput
              flex="1 1 120px"
              placeholder="Label"
              aria-label={`Label of keypoint ${index + 1}`}
              maxLength={200}
              value={row.label}
              onChange={(event) => onChange(changeRow(rows, row.key, { label: event.currentTarget.value }))}
              error={errors.get(row.key)}
            />
            <MultiSelect
              flex="1.5 1 150px"
              placeholder={row.edges.length === 0 ? "Connected to" : undefined}
              aria-label={`Keypoint ${index + 1} is connected to`}
              data={rows.filter((other) => other !== row).map(optionOf)}
              value={row.edges.map(String)}
              onChange={(keys) => onChange(setEdges(rows, row.key, keys.map(Number)))}
              size="sm"
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              mt={4}
              aria-label={`Remove keypoint ${row.label || index + 1}`}
              onClick={() => onChange(removeRow(rows, row.key))}
            >
              <X size={16} />
            </ActionIcon>
          </Group>
        ))}
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<Plus size={14} />}
          onClick={() => onChange(addRow(rows))}
          style={{ alignSelf: "start" }}
        >
          Add keypoint
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}

const optionOf = (row: KeypointRow) => ({ value: String(row.key), label: row.label.trim() || `(keypoint ${row.key})` });
