import { Badge, Button, Group, Paper, Skeleton, Stack, Text } from "@mantine/core";
import { Download, FileDown } from "lucide-react";
import { downloadExport } from "../../../../shared/api/export";
import type { DatasetPermissions } from "../../../../shared/entities/dataset";
import { formatBytes } from "../../../components/formatBytes";
import { EmptyState } from "../../../components/lists/EmptyState";
import { LoadError } from "../../../components/messages/LoadError";
import { NeedsServer } from "../../../components/offline/NeedsServer";
import { download } from "../../../io/http/download";
import { url } from "../../../io/http/request";
import { useExports } from "../../../queries/dataset";

/** Maximum number of categories shown for an export; the rest is only counted. */
const MAX_TAGS = 8;

interface Props {
  datasetId: number;
  /** Undefined until loaded. */
  permissions: DatasetPermissions | undefined;
}

export function ExportsTab({ datasetId, permissions }: Props) {
  // Waits for the permissions, because the server would refuse the request without them.
  if (!permissions) return <ListSkeleton />;
  if (!permissions.download)
    return (
      <EmptyState icon={FileDown} title="Only the owner can export">
        The dataset's owner and admins can export its annotations and download the exports.
      </EmptyState>
    );
  return <ExportList datasetId={datasetId} />;
}

/** The newest exports, each with a download button. */
function ExportList({ datasetId }: { datasetId: number }) {
  const query = useExports(datasetId);
  if (query.state === "loading") return <ListSkeleton />;
  if (query.state === "failed") return <LoadError error={query.error} onRetry={() => void query.retry()} />;
  const { data } = query;
  if (data.length === 0)
    return (
      <EmptyState icon={FileDown} title="No exports yet">
        Press Export COCO in the sidebar to write the annotations to a file, in COCO or another format. The file appears
        here when it is ready.
      </EmptyState>
    );
  return (
    <Stack gap="xs" p="md">
      {data.map(({ id, ago, tags, bytes, file_name }) => (
        <Paper key={id} withBorder px="md" py="xs">
          <Group gap="xs">
            <Text size="sm">
              {id}. Exported {ago || "0 seconds"} ago
            </Text>
            {tags.slice(0, MAX_TAGS).map((tag) => (
              <Badge key={tag} size="sm" variant="light" tt="none">
                {tag}
              </Badge>
            ))}
            {tags.length > MAX_TAGS && (
              <Text size="xs" c="dimmed" title={tags.slice(MAX_TAGS).join(", ")}>
                and {tags.length - MAX_TAGS} more
              </Text>
            )}
            <Text size="xs" c="dimmed" ml="auto">
              {formatBytes(bytes)}
            </Text>
            <NeedsServer>
              <Button
                variant="default"
                leftSection={<Download size={14} />}
                onClick={() => download(url(downloadExport, { params: { id } }), file_name)}
              >
                Download
              </Button>
            </NeedsServer>
          </Group>
        </Paper>
      ))}
    </Stack>
  );
}

const ListSkeleton = () => <Skeleton m="md" height={48} w="auto" />;
