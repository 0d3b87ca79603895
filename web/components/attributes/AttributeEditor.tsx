import { msg, t } from "@lingui/core/macro";
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
import { i18n } from "../../languages/i18n";
import { useFocusNewRow } from "../forms/useFocusNewRow";
import { type AttributeRow, addAttribute, attributeErrors, changeAttribute, removeAttribute } from "./attributeRows";

const TYPE_NAMES = { flag: msg`Flag`, choice: msg`Choice`, number: msg`Number`, text: msg`Text` } as const;

interface Props {
  rows: AttributeRow[];
  onChange: (rows: AttributeRow[]) => void;
}

/** Editor of the attributes that a category defines for its annotations. */
export function AttributeEditor({ rows, onChange }: Props) {
  const errors = attributeErrors(rows);
  const list = useFocusNewRow(rows.length);
  return (
    <Input.Wrapper
      label={t`Attributes`}
      labelElement="div"
      description={t`Values that each annotation of this category has, exported under “attributes”`}
    >
      <Stack gap={8} mt={6} ref={list}>
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
          {t`Add attribute`}
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
  const given = row.name.trim();
  const name = given || t`the new attribute`;
  return (
    <Paper withBorder p={8} radius="sm" role="group" aria-label={given === "" ? t`Attribute` : t`Attribute ${given}`}>
      <Stack gap={6}>
        <Group gap={6} align="start" wrap="nowrap">
          <TextInput
            flex="1 1 120px"
            data-row-start
            placeholder={t`Name`}
            aria-label={t`Name of the attribute`}
            maxLength={MAX_ATTRIBUTE_TEXT}
            value={row.name}
            error={error}
            onChange={(event) => onChange({ name: event.currentTarget.value })}
          />
          <NativeSelect
            w={104}
            aria-label={t`Type of ${name}`}
            data={ATTRIBUTE_TYPES.map((type) => ({ value: type, label: i18n._(TYPE_NAMES[type]) }))}
            value={row.type}
            onChange={(event) => onChange({ type: event.currentTarget.value as AttributeRow["type"] })}
          />
          <ActionIcon variant="subtle" color="gray" mt={4} aria-label={t`Remove ${name}`} onClick={onRemove}>
            <X size={16} />
          </ActionIcon>
        </Group>
        {row.type === "choice" && (
          <TagsInput
            aria-label={t`Choices of ${name}`}
            placeholder={row.choices.length === 0 ? t`Type a choice and press Enter` : undefined}
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
            placeholder={t`Key`}
            aria-label={t`Key for ${name}`}
            title={t`A key that changes this attribute of the selected annotations`}
            maxLength={1}
            value={row.key}
            onChange={(event) => onChange({ key: event.currentTarget.value.trim() })}
          />
          <Checkbox
            size="xs"
            label={t`Required`}
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
  const common = {
    size: "xs",
    flex: 1,
    placeholder: t`No default`,
    "aria-label": t`Default of ${name}`,
    title: t`Default of ${name}`,
  } as const;
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
          { value: "true", label: t`Default: yes` },
          { value: "false", label: t`Default: no` },
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
