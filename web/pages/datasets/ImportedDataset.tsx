import { Button, Group, Stack, Text } from "@mantine/core";
import type { Json } from "../../../shared/entities/scalars";
import { ReportTable } from "../dataset/ReportTable";
import { objectOf } from "../dataset/report";

interface Props {
  report: Record<string, Json>;
  onOpen: () => void;
  onClose: () => void;
}

/** What an import of a dataset has brought, and which of the file's pictures were not among those sent. */
export function ImportedDataset({ report, onOpen, onClose }: Props) {
  const missing = Number(objectOf(report.images)[MISSING] ?? 0);
  return (
    <Stack gap="md">
      {missing > 0 && (
        <Text size="sm">
          {missing} {missing === 1 ? "picture of the file was" : "pictures of the file were"} not sent, and{" "}
          {missing === 1 ? "its" : "their"} annotations were left out. Add the pictures and import the file again: what
          is there already is not doubled.
        </Text>
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

/** As the report names it. */
const MISSING = "not in the dataset";
