import { t } from "@lingui/core/macro";
import { ActionIcon, Button, Group, Input, Stack, Text, TextInput, Tooltip } from "@mantine/core";
import { Plus, X } from "lucide-react";
import { isFixed, type MetadataRow, metadataProblems, storedValue } from "../../../shared/rules/metadataValue";
import { useFocusNewRow } from "./useFocusNewRow";

interface Props {
  label: string;
  description?: string;
  rows: readonly MetadataRow[];
  onChange: (rows: MetadataRow[]) => void;
  /** Keys that are edited elsewhere. */
  reserved?: readonly string[];
}

/** Editor of a free key/value map, one row per entry. Each row shows the type that its value is stored as. */
export function MetadataFields({ label, description, rows, onChange, reserved }: Props) {
  const problems = metadataProblems(rows, reserved);
  const list = useFocusNewRow(rows.length);
  const change = (index: number, part: Partial<MetadataRow>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...part } : row)));
  return (
    <Input.Wrapper label={label} description={description} labelElement="div">
      <Stack gap={6} mt={6} ref={list} role="group" aria-label={label}>
        {rows.map((row, index) => (
          <Line
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity, since their key is being typed
            key={index}
            row={row}
            place={index + 1}
            problem={problems.get(index)}
            onChange={(part) => change(index, part)}
            onRemove={() => onChange(rows.filter((_, at) => at !== index))}
          />
        ))}
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<Plus size={14} />}
          onClick={() => onChange([...rows, { key: "", text: "" }])}
          style={{ alignSelf: "start" }}
        >
          {t`Add entry`}
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}

interface LineProps {
  row: MetadataRow;
  /** 1-based. */
  place: number;
  problem: string | undefined;
  onChange: (part: Partial<MetadataRow>) => void;
  onRemove: () => void;
}

function Line({ row, place, problem, onChange, onRemove }: LineProps) {
  const { key } = row;
  const kind = kindOf(row);
  return (
    <Group gap={6} wrap="nowrap" align="start">
      <TextInput
        flex={1}
        size="xs"
        data-row-start
        placeholder={t`Key`}
        aria-label={t`Key ${place}`}
        maxLength={1000}
        error={problem}
        value={row.key}
        onChange={(event) => onChange({ key: event.currentTarget.value })}
      />
      <TextInput
        flex={1}
        size="xs"
        placeholder={t`Value`}
        aria-label={t`Value ${place}`}
        aria-description={kind.name}
        readOnly={isFixed(row)}
        variant={isFixed(row) ? "filled" : undefined}
        value={row.text}
        rightSection={
          <Tooltip label={kind.name}>
            <Text component="span" size="10px" c="dimmed" aria-hidden>
              {kind.sign}
            </Text>
          </Tooltip>
        }
        onChange={(event) => onChange({ text: event.currentTarget.value })}
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        size={30}
        aria-label={key === "" ? t`Remove entry ${place}` : t`Remove ${key}`}
        onClick={onRemove}
      >
        <X size={15} />
      </ActionIcon>
    </Group>
  );
}

/** Returns the type of a stored value, as text and as a symbol. */
function kindOf(row: MetadataRow): { name: string; sign: string } {
  const value = storedValue(row);
  if (isFixed(row)) return { name: t`A list or an object; cannot be edited here`, sign: "{ }" };
  if (typeof value === "number") return { name: t`Stored as a number`, sign: "123" };
  if (typeof value === "boolean") return { name: t`Stored as true or false`, sign: "T/F" };
  if (value === null) return { name: t`Stored as empty (null)`, sign: "∅" };
  return { name: t`Stored as text`, sign: "abc" };
}
