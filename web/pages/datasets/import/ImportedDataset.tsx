import { Button, Group, ScrollArea, Stack, Text } from "@mantine/core";
import type { Json } from "../../../../shared/entities/scalars";
import { ReportTable } from "../../importReport/ReportTable";
import { objectOf } from "../../importReport/report";
import type { UploadResult } from "../../uploads/uploadQueue";

interface Props {
  report: Record<string, Json>;
  /** Files that were no images. */
  refused: UploadResult[];
  onOpen: () => void;
  onClose: () => void;
}

/** As the report names it. */
const MISSING = "not in the dataset";

/** Result of a dataset's import, with the file's images that were not sent. */
export function ImportedDataset({ report, refused, onOpen, onClose }: Props) {
  const missing = Number(objectOf(report.images)[MISSING] ?? 0);
  const names = objectOf(report.examples)[MISSING];
  return (
    <Stack gap="md">
      {missing > 0 && (
        <Names
          intro={`${missing} ${missing === 1 ? "image" : "images"} named in the file did not come with it, so their annotations were left out. Add them and import the file again: existing annotations are not duplicated.`}
          names={Array.isArray(names) ? names.map(String) : []}
          total={missing}
        />
      )}
      {refused.length > 0 && (
        <Names
          intro={`${refused.length} ${refused.length === 1 ? "file was" : "files were"} not added.`}
          names={refused.map(({ path, message }) => `${path}: ${message}`)}
          total={refused.length}
        />
      )}
      <ReportTable report={report} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button onClick={onOpen} data-autofocus>
          Open dataset
        </Button>
      </Group>
    </Stack>
  );
}

function Names({ intro, names, total }: { intro: string; names: string[]; total: number }) {
  return (
    <div>
      <Text size="sm">{intro}</Text>
      <ScrollArea.Autosize mah={110} viewportProps={{ tabIndex: 0, role: "region", "aria-label": intro }}>
        <Text size="xs" c="dimmed" style={{ whiteSpace: "pre-line", overflowWrap: "anywhere" }}>
          {names.join("\n")}
          {total > names.length && `\nand ${total - names.length} more`}
        </Text>
      </ScrollArea.Autosize>
    </div>
  );
}
