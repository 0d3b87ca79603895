import { plural, t } from "@lingui/core/macro";
import { Button, Checkbox, FileButton, FileInput, Group, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { datasetName } from "../../../../shared/entities/dataset";
import { formatBytes } from "../../../components/formatBytes";
import { FOLDERS, isZip } from "../../uploads/uploads";
import { chosenFrom, nameFrom } from "./chosenFiles";
import type { Choice } from "./importDataset";

interface Props {
  onSubmit: (choice: Choice) => void;
  onClose: () => void;
}

/** Form for the annotation file, the images and the name of the new dataset. */
export function ImportDatasetForm({ onSubmit, onClose }: Props) {
  const [annotations, setAnnotations] = useState<File | null>(null);
  const [withItsImages, setWithItsImages] = useState(true);
  const [images, setImages] = useState<Choice["images"]>([]);
  const [typedName, setTypedName] = useState<string>();
  const proposed = annotations ? nameFrom(annotations) : "";
  const name = (typedName ?? proposed).trim();
  const isArchive = annotations !== null && isZip(annotations.name);
  const { error } = datasetName.safeParse(name);

  const handleImages = (files: File[]) => {
    const chosen = chosenFrom(files);
    setImages(chosen.images);
    if (!annotations) setAnnotations(chosen.cocoFiles[0] ?? null);
  };
  const handleSubmit = (event: React.FormEvent) => {
    event.preventDefault();
    if (!annotations || error) return;
    const own = isArchive && withItsImages ? [{ file: annotations, path: annotations.name }] : [];
    onSubmit({ name, annotations, images: [...own, ...images] });
  };
  const size = formatBytes(images.reduce((sum, { file }) => sum + file.size, 0));
  return (
    <form onSubmit={handleSubmit} noValidate>
      <Stack gap="md">
        <FileInput
          label={t`Annotations`}
          description={t`A COCO file, or a zip of COCO, YOLO or Pascal VOC files`}
          placeholder={t`Choose a .json or .zip file`}
          accept=".json,.zip,application/json,application/zip"
          value={annotations}
          onChange={setAnnotations}
          clearable
          clearButtonProps={{ "aria-label": t`Clear the annotation file` }}
          withAsterisk
        />
        {isArchive && (
          <Checkbox
            label={t`Also add the images in this zip`}
            checked={withItsImages}
            onChange={(event) => setWithItsImages(event.currentTarget.checked)}
          />
        )}
        <div>
          <Text size="sm" fw={500}>
            {t`Images`}
          </Text>
          <Text size="xs" c="dimmed" mb={6}>
            {t`Subfolders are kept. Zip files are unpacked on the server.`}
          </Text>
          <Group gap="xs">
            <FileButton multiple onChange={handleImages} inputProps={{ "aria-label": t`Images` }}>
              {(props) => (
                <Button {...props} variant="default" size="xs">
                  {t`Choose files or zips`}
                </Button>
              )}
            </FileButton>
            <FileButton
              multiple
              onChange={handleImages}
              inputProps={{ "aria-label": t`Folder of images`, multiple: true, ...FOLDERS }}
            >
              {(props) => (
                <Button {...props} variant="default" size="xs">
                  {t`Choose a folder`}
                </Button>
              )}
            </FileButton>
            <Text size="sm" role="status">
              {images.length > 0 && plural(images.length, { one: `# file, ${size}`, other: `# files, ${size}` })}
            </Text>
          </Group>
        </div>
        <TextInput
          label={t`Dataset Name`}
          withAsterisk
          value={typedName ?? proposed}
          onChange={(event) => setTypedName(event.currentTarget.value)}
          error={(typedName !== undefined || annotations !== null) && error?.issues[0]?.message}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Button type="submit" disabled={!annotations || error !== undefined}>
            {t`Import`}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
