import type { MessageDescriptor } from "@lingui/core";
import { msg, t } from "@lingui/core/macro";
import { Button, Checkbox, Group, Modal, Select, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { EXPORT_FORMATS, type ExportFormat } from "../../../../shared/entities/export";
import { FormFields } from "../../../components/forms/FormFields";
import { CategoriesField } from "../../../components/tags/CategoriesField";
import { i18n } from "../../../languages/i18n";
import { useExport } from "../../../queries/dataset";
import { useTaskForm } from "../../common/useCancelLate";
import { type ExportValues, exportQuery, INITIAL_VALUES, problemOfSplit } from "./exportValues";
import { SplitFields } from "./SplitFields";

interface Props {
  datasetId: number;
  name: string;
  categories: { id: number; name: string }[];
  /** True if the dataset asks for review. */
  isReviewed: boolean;
  opened: boolean;
  onClose: () => void;
}

const FORMATS = Object.entries(EXPORT_FORMATS).map(([value, label]) => ({ value: value as ExportFormat, label }));

const ABOUT: Record<ExportFormat, MessageDescriptor> = {
  coco: msg`One JSON file with everything that Limn stores about the annotations`,
  "yolo-detection": msg`A zip with data.yaml and a text file of boxes for each image`,
  "yolo-segmentation": msg`A zip with data.yaml and a text file of outlines for each image`,
  "yolo-pose": msg`A zip with data.yaml and a text file of boxes with their keypoints for each image`,
  voc: msg`A zip with an XML file of boxes for each image`,
  "semantic-masks": msg`A zip with a PNG for each image; each pixel holds the number of its category`,
  "instance-masks": msg`A zip with a 16-bit PNG for each image; each pixel holds the number of its object`,
};

const SEGMENTATIONS = [
  { value: "", label: msg`Polygons; RLE for holes and crowds` },
  { value: "polygon", label: msg`All as polygons` },
  { value: "rle", label: msg`All as RLE` },
] as const;

const LATE_CANCEL_TEXTS = {
  title: msg`Exporting COCO`,
  cancelled: msg`The export is being cancelled.`,
  finished: msg`The export finished before it could be cancelled. Its file is on the Exports tab.`,
};

/** Dialog to choose the format and contents of an export. */
export function ExportDialog({ datasetId, name, categories, isReviewed, opened, onClose }: Props) {
  const [values, setValues] = useState<ExportValues>(INITIAL_VALUES);
  const change = (changed: Partial<ExportValues>) => setValues((before) => ({ ...before, ...changed }));
  const start = useExport(datasetId);
  const { submit, cancel } = useTaskForm(start, LATE_CANCEL_TEXTS, opened);
  const problem = problemOfSplit(values);
  const handleSubmit = (event: React.FormEvent) => {
    event.preventDefault();
    if (problem) return;
    submit(exportQuery(values), onClose);
  };
  const handleCancel = () => {
    cancel();
    onClose();
  };
  return (
    <Modal opened={opened} onClose={handleCancel} title={t`Export ${name}`} size="lg">
      <form onSubmit={handleSubmit}>
        <Stack gap="md">
          <FormFields isSent={start.isPending} gap="md">
            <Select
              label={t`Format`}
              description={i18n._(ABOUT[values.format])}
              data={FORMATS}
              value={values.format}
              onChange={(format) => format && change({ format })}
              allowDeselect={false}
              data-autofocus
            />
            {values.format === "coco" && (
              <Select
                label={t`Outlines`}
                data={SEGMENTATIONS.map(({ value, label }) => ({ value, label: i18n._(label) }))}
                value={values.segmentation}
                onChange={(segmentation) => change({ segmentation: segmentation ?? "" })}
                allowDeselect={false}
              />
            )}
            <CategoriesField
              label={t`Categories`}
              description={t`Leave empty to export all categories`}
              categories={categories}
              value={values.categories}
              onChange={(chosen) => change({ categories: chosen })}
            />
            <TextInput
              label={t`Folder`}
              description={t`Includes sub-folders; leave empty to export the whole dataset`}
              placeholder={t`street/night`}
              value={values.folder}
              onChange={(event) => change({ folder: event.currentTarget.value })}
              maxLength={1000}
            />
            <Checkbox
              label={t`Include unannotated images`}
              checked={values.withEmptyImages}
              onChange={(event) => change({ withEmptyImages: event.currentTarget.checked })}
            />
            <Checkbox
              label={isReviewed ? t`Only accepted images` : t`Only images marked as done`}
              checked={values.onlyAccepted}
              onChange={(event) => change({ onlyAccepted: event.currentTarget.checked })}
            />
            <Checkbox
              label={t`Include the images, as a zip`}
              checked={values.withImages}
              onChange={(event) => change({ withImages: event.currentTarget.checked })}
            />
            <SplitFields values={values} problem={problem} onChange={change} />
          </FormFields>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={handleCancel}>
              {t`Cancel`}
            </Button>
            <Button type="submit" loading={start.isPending} disabled={problem !== undefined}>
              {t`Export`}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
