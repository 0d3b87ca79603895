import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  Input,
  NativeSelect,
  NumberInput,
  Paper,
  Select,
  Stack,
  TagsInput,
  TextInput,
} from "@mantine/core";
import { Plus, X } from "lucide-react";
import { ATTRIBUTE_TYPES, MAX_ATTRIBUTE_TEXT, MAX_CHOICES } from "../../../shared/entities/attribute";
import { type AttributeRow, addAttribute, attributeErrors, changeAttribute, removeAttribute } from "./attributeRows";

const TYPE_NAMES = { flag: "Flag", choice: "Choice", number: "Number", text: "Text" } as const;
const TYPES = ATTRIBUTE_TYPES.map((value) => ({ value, label: TYPE_NAMES[value] }));

interface Props {
  rows: AttributeRow[];
  onChange: (rows: AttributeRow[]) => void;
}

/** Editor of the attributes that a category defines for its annotations. */
export function AttributeEditor({ rows, onChange }: Props) {
  const errors = attributeErrors(rows);
  return (
    <Input.Wrapper
      label="Attributes"
      labelElement="div"
      description="Values that each annotation of this category has, exported under “attributes”"
    >
      <Stack gap={8} mt={6}>
        {rows.map((row) => (
          <Line
            key={row.row}
            row={row}
            error={errors.get(row.row)}
            onChange={(part) => onChange(changeAttribute(rows, row.row, part))}
            onRemove={() => onChange(removeAttribute(rows, row.row))}
          />
        ))}
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<Plus size={14} />}
          onClick={() => onChange(addAttribute(rows))}
          style={{ alignSelf: "start" }}
        >
          Add attribute
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}

interface LineProps {
  row: AttributeRow;
  error: string | undefined;
  onChange: (part: Partial<AttributeRow>) => void;
  onRemove: () => void;
}

function Line({ row, error, onChange, onRemove }: LineProps) {
  const name = row.name.trim() || "the new attribute";
  return (
    <Paper withBorder p={8} radius="sm" role="group" aria-label={`Attribute ${row.name.trim()}`.trim()}>
      <Stack gap={6}>
        <Group gap={6} align="start" wrap="nowrap">
          <TextInput
            flex="1 1 120px"
            placeholder="Name"
            aria-label="Name of the attribute"
            maxLength={MAX_ATTRIBUTE_TEXT}
            value={row.name}
            error={error}
            onChange={(event) => onChange({ name: event.currentTarget.value })}
          />
          <NativeSelect
            w={104}
            aria-label={`Type of ${name}`}
            data={TYPES}
            value={row.type}
            onChange={(event) => onChange({ type: event.currentTarget.value as AttributeRow["type"] })}
          />
          <ActionIcon variant="subtle" color="gray" mt={4} aria-label={`Remove ${name}`} onClick={onRemove}>
            <X size={16} />
          </ActionIcon>
        </Group>
        {row.type === "choice" && (
          <TagsInput
            aria-label={`Choices of ${name}`}
            placeholder={row.choices.length === 0 ? "Type a choice and press Enter" : undefined}
            value={row.choices}
            maxTags={MAX_CHOICES}
            acceptValueOnBlur
            onChange={(choices) => onChange({ choices: choices.map((each) => each.trim()).filter(Boolean) })}
          />
        )}
        <Group gap={10} align="center" wrap="nowrap">
          <DefaultField row={row} name={name} onChange={(value) => onChange({ default: value })} />
          <TextInput
            w={64}
            size="xs"
            placeholder="Key"
            aria-label={`Key for ${name}`}
            title="A key that changes this attribute of the selected annotations"
            maxLength={1}
            value={row.key}
            onChange={(event) => onChange({ key: event.currentTarget.value.trim() })}
          />
          <Checkbox
            size="xs"
            label="Required"
            checked={row.required}
            onChange={(event) => onChange({ required: event.currentTarget.checked })}
          />
        </Group>
      </Stack>
    </Paper>
  );
}

interface DefaultProps {
  row: AttributeRow;
  name: string;
  onChange: (value: string) => void;
}

/** Field for an attribute's default, which new annotations get. */
function DefaultField({ row, name, onChange }: DefaultProps) {
  const common = { size: "xs", flex: 1, placeholder: "No default", "aria-label": `Default of ${name}` } as const;
  if (row.type === "number")
    return <NumberInput {...common} hideControls value={row.default} onChange={(value) => onChange(String(value))} />;
  if (row.type === "text")
    return (
      <TextInput
        {...common}
        maxLength={1000}
        value={row.default}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  const data =
    row.type === "choice"
      ? row.choices
      : [
          { value: "true", label: "Default: yes" },
          { value: "false", label: "Default: no" },
        ];
  return (
    <Select
      {...common}
      clearable
      data={data}
      value={row.default === "" ? null : row.default}
      onChange={(value) => onChange(value ?? "")}
    />
  );
}
