import { plural, t } from "@lingui/core/macro";
import { Button, Group, ScrollArea, Stack, Text } from "@mantine/core";
import type { Json } from "../../../../shared/entities/scalars";
import { ReportTable } from "../../importReport/ReportTable";
import { objectOf } from "../../importReport/report";
import type { UploadResult } from "../../uploads/uploadQueue";

interface Props {
  report: Record<string, Json>;
  /** Files that the server did not accept as images. */
  refused: UploadResult[];
  onOpen: () => void;
  onClose: () => void;
}

/** Key in the report for images that the dataset does not have. */
const MISSING = "not in the dataset";

/** Result of a dataset import, with the images that are missing and the files that were refused. */
export function ImportedDataset({ report, refused, onOpen, onClose }: Props) {
  const missing = Number(objectOf(report.images)[MISSING] ?? 0);
  const names = objectOf(report.examples)[MISSING];
  return (
    <Stack gap="md">
      {missing > 0 && (
        <Names
          intro={plural(missing, {
            one: "# image named in the file was not among the added images, so their annotations were skipped. Add the missing images and import the file again. Existing annotations will not be duplicated.",
            other:
              "# images named in the file were not among the added images, so their annotations were skipped. Add the missing images and import the file again. Existing annotations will not be duplicated.",
          })}
          names={Array.isArray(names) ? names.map(String) : []}
          total={missing}
        />
      )}
      {refused.length > 0 && (
        <Names
          intro={plural(refused.length, { one: "# file was not added.", other: "# files were not added." })}
          names={refused.map(({ path, message }) => `${path}: ${message}`)}
          total={refused.length}
        />
      )}
      <ReportTable report={report} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          {t`Close`}
        </Button>
        <Button onClick={onOpen} data-autofocus>
          {t`Open dataset`}
        </Button>
      </Group>
    </Stack>
  );
}

function Names({ intro, names, total }: { intro: string; names: string[]; total: number }) {
  const more = total - names.length;
  return (
    <div>
      <Text size="sm">{intro}</Text>
      <ScrollArea.Autosize mah={110} viewportProps={{ tabIndex: 0, role: "region", "aria-label": intro }}>
        <Text size="xs" c="dimmed" style={{ whiteSpace: "pre-line", overflowWrap: "anywhere" }}>
          {names.join("\n")}
          {more > 0 && `\n${t`and ${more} more`}`}
        </Text>
      </ScrollArea.Autosize>
    </div>
  );
}
