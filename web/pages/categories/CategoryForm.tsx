import { Button, ColorInput, Group, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { KEYPOINT_PALETTE } from "../../../shared/constants";
import type { Category, CategoryInput } from "../../../shared/entities/category";
import { KeypointEditor } from "../../components/keypoints/KeypointEditor";
import { errorsOf, keypointsOf, rowsOf } from "../../components/keypoints/keypointRows";
import classes from "./CategoryForm.module.css";

type Fields = Pick<
  Category,
  "name" | "supercategory" | "color" | "keypoint_labels" | "keypoint_edges" | "keypoint_colors"
>;

interface Props {
  initial: Fields;
  submit: string;
  isBusy: boolean;
  onSubmit: (input: CategoryInput) => void;
  onCancel: () => void;
}

/** Name, supercategory, colour and keypoints. Lives as long as its modal is open, so that closing resets it. */
export function CategoryForm({ initial, submit, isBusy, onSubmit, onCancel }: Props) {
  const [name, setName] = useState(initial.name);
  const [supercategory, setSupercategory] = useState(initial.supercategory);
  const [color, setColor] = useState(initial.color);
  const [rows, setRows] = useState(() => rowsOf(initial));
  const isColor = /^#[0-9a-f]{6}$/i.test(color);
  const isValid = name.trim() !== "" && isColor && errorsOf(rows).size === 0;

  const handleSubmit = (event: React.FormEvent) => {
    event.preventDefault();
    const keypoints = keypointsOf(rows, initial.keypoint_edges);
    if (isValid) onSubmit({ name: name.trim(), supercategory: supercategory.trim(), color, ...keypoints });
  };
  return (
    <form onSubmit={handleSubmit}>
      <Stack gap="md">
        <Group grow align="start">
          <TextInput
            label="Name"
            withAsterisk
            data-autofocus
            maxLength={200}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <TextInput
            label="Supercategory"
            maxLength={200}
            value={supercategory}
            onChange={(event) => setSupercategory(event.currentTarget.value)}
          />
        </Group>
        <ColorInput
          label="Colour"
          value={color}
          onChange={setColor}
          format="hex"
          swatches={[...KEYPOINT_PALETTE]}
          swatchesPerRow={16}
          error={!isColor && "Invalid HEX color."}
        />
        <KeypointEditor rows={rows} onChange={setRows} />
        <Group justify="flex-end" gap="xs" className={classes.actions}>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" disabled={!isValid} loading={isBusy}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
