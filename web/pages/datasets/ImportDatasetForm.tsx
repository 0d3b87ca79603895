import { Button, FileButton, FileInput, Group, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { datasetName } from "../../../shared/entities/dataset";
import { formatBytes } from "../../components/formatBytes";
import { FOLDERS } from "../dataset/uploads";
import { chosenFrom, nameFrom } from "./chosenFiles";
import type { Choice } from "./importDataset";

interface Props {
  onSubmit: (choice: Choice) => void;
  onClose: () => void;
}

/** Which file, which pictures, and what the dataset is to be called. */
export function ImportDatasetForm({ onSubmit, onClose }: Props) {
  const [coco, setCoco] = useState<File | null>(null);
  const [pictures, setPictures] = useState<Choice["pictures"]>([]);
  const [typedName, setTypedName] = useState<string>();
  const name = (typedName ?? (coco ? nameFrom(coco) : "")).trim();
  const { error } = datasetName.safeParse(name);

  const handlePictures = (files: File[]) => {
    const chosen = chosenFrom(files);
    setPictures(chosen.pictures);
    if (!coco) setCoco(chosen.cocoFiles[0] ?? null);
  };
  const handleSubmit = (event: React.FormEvent) => {
    event.preventDefault();
    if (coco && !error) onSubmit({ name, coco, pictures });
  };
  const bytes = pictures.reduce((sum, { file }) => sum + file.size, 0);
  return (
    <form onSubmit={handleSubmit} noValidate>
      <Stack gap="md">
        <FileInput
          label="COCO file"
          description="Annotations, categories and the pictures' names"
          placeholder="Choose a .json file"
          accept=".json,application/json"
          value={coco}
          onChange={setCoco}
          clearable
          clearButtonProps={{ "aria-label": "Clear the COCO file" }}
          withAsterisk
        />
        <div>
          <Text size="sm" fw={500}>
            Pictures
          </Text>
          <Text size="xs" c="dimmed" mb={6}>
            A folder keeps its sub-folders. Zip files are unpacked on the server.
          </Text>
          <Group gap="xs">
            <FileButton multiple onChange={handlePictures} inputProps={{ "aria-label": "Pictures" }}>
              {(props) => (
                <Button {...props} variant="default" size="xs">
                  Choose files or zips
                </Button>
              )}
            </FileButton>
            <FileButton
              multiple
              onChange={handlePictures}
              inputProps={{ "aria-label": "Folder of pictures", multiple: true, ...FOLDERS }}
            >
              {(props) => (
                <Button {...props} variant="default" size="xs">
                  Choose a folder
                </Button>
              )}
            </FileButton>
            <Text size="sm" role="status">
              {pictures.length > 0 &&
                `${pictures.length} ${pictures.length === 1 ? "file" : "files"}, ${formatBytes(bytes)}`}
            </Text>
          </Group>
        </div>
        <TextInput
          label="Dataset Name"
          withAsterisk
          value={typedName ?? (coco ? nameFrom(coco) : "")}
          onChange={(event) => setTypedName(event.currentTarget.value)}
          error={(typedName !== undefined || coco !== null) && error?.issues[0]?.message}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!coco || error !== undefined}>
            Import
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
