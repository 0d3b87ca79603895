import { t } from "@lingui/core/macro";
import { ActionIcon, Button, Group, Input, MultiSelect, Stack, TextInput, VisuallyHidden } from "@mantine/core";
import { Plus, X } from "lucide-react";
import { useState } from "react";
import { ColorField } from "../forms/ColorField";
import { useFocusNewRow } from "../forms/useFocusNewRow";
import classes from "./KeypointEditor.module.css";
import { KeypointFigure } from "./KeypointFigure";
import { addRow, changeRow, errorsOf, type KeypointRow, moveRow, removeRow, setEdges } from "./keypointRows";
import { RowHandle } from "./RowHandle";

/** Editor of a category's keypoint labels, their order and colours, and the edges between them, beside the skeleton. */
export function KeypointEditor({ rows, onChange }: { rows: KeypointRow[]; onChange: (rows: KeypointRow[]) => void }) {
  const errors = errorsOf(rows);
  const list = useFocusNewRow(rows.length);
  const [active, setActive] = useState<number>();
  const [dragged, setDragged] = useState<number>();
  const [message, setMessage] = useState("");
  /** Keys of the rows that the user has left: a row that is still being filled in shows no missing label. */
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const leave = (key: number) => setLeft((before) => new Set([...before, key]));
  const errorOf = ({ key, label, edges }: KeypointRow) =>
    label.trim() !== "" || edges.length > 0 || left.has(key) ? errors.get(key) : undefined;
  const move = (row: KeypointRow, by: number) => {
    const moved = moveRow(rows, row.key, by);
    onChange(moved);
    const place = moved.findIndex(({ key }) => key === row.key) + 1;
    const [name, total] = [row.label || String(row.key), rows.length];
    setMessage(t`Keypoint ${name} is number ${place} of ${total}`);
  };
  return (
    <Input.Wrapper label={t`Keypoints`} labelElement="div">
      <div className={classes.editor}>
        <Stack gap={6} className={classes.rows} ref={list}>
          {rows.map((row, index) => (
            <Group
              key={row.key}
              gap={6}
              align="start"
              className={classes.row}
              data-keypoint-row
              data-dragged={dragged === row.key || undefined}
              onPointerEnter={() => setActive(row.key)}
              onPointerLeave={() => setActive(undefined)}
              onFocus={() => setActive(row.key)}
              onBlur={({ currentTarget, relatedTarget }) => {
                setActive(undefined);
                if (!currentTarget.contains(relatedTarget)) leave(row.key);
              }}
            >
              <RowHandle
                number={index + 1}
                label={row.label}
                isDragged={dragged === row.key}
                onMove={(by) => move(row, by)}
                onDrag={(isDragged) => setDragged(isDragged ? row.key : undefined)}
              />
              <ColorField
                w={112}
                aria-label={colorLabel(index + 1)}
                value={row.color}
                onChange={(color) => onChange(changeRow(rows, row.key, { color }))}
                withEyeDropper={false}
                // Errors of the whole row are shown at the label field.
                error={false}
              />
              <TextInput
                flex="1 1 120px"
                data-row-start
                placeholder={t`Label`}
                aria-label={nameLabel(index + 1)}
                maxLength={200}
                value={row.label}
                onChange={(event) => onChange(changeRow(rows, row.key, { label: event.currentTarget.value }))}
                // Enter would send the form.
                onKeyDown={({ key }) => key === "Enter" && leave(row.key)}
                error={errorOf(row)}
              />
              <MultiSelect
                flex="1.5 1 150px"
                placeholder={row.edges.length === 0 ? t`Connected to` : undefined}
                aria-label={edgesLabel(index + 1)}
                data={rows.filter((other) => other !== row).map(optionOf)}
                value={row.edges.map(String)}
                onChange={(keys) => onChange(setEdges(rows, row.key, keys.map(Number)))}
                size="sm"
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                mt={4}
                aria-label={removalLabel(row.label || String(index + 1))}
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
            {t`Add keypoint`}
          </Button>
        </Stack>
        <KeypointFigure rows={rows} active={active} />
      </div>
      <VisuallyHidden role="status">{message}</VisuallyHidden>
    </Input.Wrapper>
  );
}

const colorLabel = (number: number): string => t`Color of keypoint ${number}`;
const nameLabel = (number: number): string => t`Label of keypoint ${number}`;
const edgesLabel = (number: number): string => t`Keypoint ${number} is connected to`;
const removalLabel = (name: string): string => t`Remove keypoint ${name}`;
const unnamed = (number: number): string => t`(keypoint ${number})`;

const optionOf = ({ key, label }: KeypointRow) => ({ value: String(key), label: label.trim() || unnamed(key) });
