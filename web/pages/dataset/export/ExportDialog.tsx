import { Button, Checkbox, Group, Modal, Select, Stack, TextInput } from "@mantine/core";
import { useRef, useState } from "react";
import { EXPORT_FORMATS, type ExportFormat } from "../../../../shared/entities/export";
import { CategoriesField } from "../../../components/forms/CategoriesField";
import { FormFields } from "../../../components/forms/FormFields";
import { useSubmitOnce } from "../../../components/forms/useSubmitOnce";
import { type ExportChoice, useExport } from "../../../queries/dataset";
import { useCancelLate } from "../../common/useCancelLate";
import { type ExportValues, exportQuery, INITIAL_VALUES, problemOfSplit } from "./exportValues";
import { SplitFields } from "./SplitFields";

interface Props {
  datasetId: number;
  name: string;
  categories: { id: number; name: string }[];
  opened: boolean;
  onClose: () => void;
}

const FORMATS = Object.entries(EXPORT_FORMATS).map(([value, label]) => ({ value: value as ExportFormat, label }));

const ABOUT: Record<ExportFormat, string> = {
  coco: "One JSON file with everything that Limn stores about the annotations",
  "yolo-detection": "A zip with data.yaml and a text file of boxes for each image",
  "yolo-segmentation": "A zip with data.yaml and a text file of outlines for each image",
  "yolo-pose": "A zip with data.yaml and a text file of boxes with their keypoints for each image",
  voc: "A zip with an XML file of boxes for each image",
  "semantic-masks": "A zip with a PNG for each image; each pixel holds the number of its category",
  "instance-masks": "A zip with a 16-bit PNG for each image; each pixel holds the number of its object",
};

const SEGMENTATIONS = [
  { value: "", label: "Polygons; RLE for holes and crowds" },
  { value: "polygon", label: "All as polygons" },
  { value: "rle", label: "All as RLE" },
] as const;

const LATE_CANCEL_TEXTS = {
  title: "Exporting COCO",
  cancelled: "The export is being cancelled.",
  finished: "The export finished before it could be cancelled. Its file is on the Exports tab.",
};

/** Dialog to choose the format and contents of an export. */
export function ExportDialog({ datasetId, name, categories, opened, onClose }: Props) {
  const [values, setValues] = useState<ExportValues>(INITIAL_VALUES);
  const change = (changed: Partial<ExportValues>) => setValues((before) => ({ ...before, ...changed }));
  const start = useExport(datasetId);
  const submit = useSubmitOnce(start, opened);
  const cancelLate = useCancelLate(LATE_CANCEL_TEXTS);
  /** The export sent last. */
  const sent = useRef({ isCancelled: false });
  const problem = problemOfSplit(values);
  const handleSubmit = (event: React.FormEvent) => {
    event.preventDefault();
    if (problem) return;
    const query: ExportChoice = exportQuery(values);
    const mine = { isCancelled: false };
    sent.current = mine;
    // Leaving the page does not cancel the export; only "Cancel" or closing the dialog does.
    submit(query, onClose, ({ id }) => mine.isCancelled && cancelLate(id));
  };
  const handleCancel = () => {
    sent.current.isCancelled = true;
    onClose();
  };
  return (
    <Modal opened={opened} onClose={handleCancel} title={`Export ${name}`} size="lg">
      <form onSubmit={handleSubmit}>
        <Stack gap="md">
          <FormFields isSent={start.isPending} gap="md">
            <Select
              label="Format"
              description={ABOUT[values.format]}
              data={FORMATS}
              value={values.format}
              onChange={(format) => format && change({ format })}
              allowDeselect={false}
              data-autofocus
            />
            {values.format === "coco" && (
              <Select
                label="Outlines"
                data={SEGMENTATIONS}
                value={values.segmentation}
                onChange={(segmentation) => change({ segmentation: segmentation ?? "" })}
                allowDeselect={false}
              />
            )}
            <CategoriesField
              label="Categories"
              description="Leave empty to export all categories"
              categories={categories}
              value={values.categories}
              onChange={(chosen) => change({ categories: chosen })}
            />
            <TextInput
              label="Folder"
              description="Includes sub-folders; leave empty to export the whole dataset"
              placeholder="street/night"
              value={values.folder}
              onChange={(event) => change({ folder: event.currentTarget.value })}
              maxLength={1000}
            />
            <Checkbox
              label="Include unannotated images"
              checked={values.withEmptyImages}
              onChange={(event) => change({ withEmptyImages: event.currentTarget.checked })}
            />
            <Checkbox
              label="Include the images, as a zip"
              checked={values.withImages}
              onChange={(event) => change({ withImages: event.currentTarget.checked })}
            />
            <SplitFields values={values} problem={problem} onChange={change} />
          </FormFields>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={handleCancel}>
              Cancel
            </Button>
            <Button type="submit" loading={start.isPending} disabled={problem !== undefined}>
              Export
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
