import { t } from "@lingui/core/macro";
import { Stack, Title } from "@mantine/core";
import { FileDown } from "lucide-react";
import { useState } from "react";
import type { DatasetPermissions } from "../../../../shared/entities/dataset";
import { EmptyState } from "../../../components/lists/EmptyState";
import { LoadError } from "../../../components/messages/LoadError";
import { useExports } from "../../../queries/dataset";
import { RowSkeletons } from "../../common/RowSkeletons";
import { Versions } from "../versions/Versions";
import { DeleteExport } from "./DeleteExport";
import { ExportRow, type ListedExport } from "./ExportRow";

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
      <EmptyState icon={FileDown} title={t`Only the owner and maintainers can export`}>
        {t`The dataset's owner, its maintainers and admins can export its annotations and download the exports.`}
      </EmptyState>
    );
  return (
    <Stack gap="xl" p="md">
      <Versions datasetId={datasetId} mayDelete={permissions.owner} />
      <section aria-labelledby="exports-title">
        <Title order={2} size="h4" mb="xs" id="exports-title">
          {t`Exports`}
        </Title>
        <ExportList datasetId={datasetId} />
      </section>
    </Stack>
  );
}

/** The newest exports. */
function ExportList({ datasetId }: { datasetId: number }) {
  const [unwanted, setUnwanted] = useState<ListedExport | null>(null);
  const query = useExports(datasetId);
  if (query.state === "loading") return <ListSkeleton />;
  if (query.state === "failed") return <LoadError error={query.error} onRetry={() => void query.retry()} />;
  const { data } = query;
  if (data.length === 0)
    return (
      <EmptyState icon={FileDown} title={t`No exports yet`}>
        {t`Press Export COCO in the sidebar to write the annotations to a file, in COCO or another format. The file appears here when it is ready.`}
      </EmptyState>
    );
  return (
    <>
      <Stack gap="xs">
        {data.map((each) => (
          <ExportRow key={each.id} export={each} onDelete={() => setUnwanted(each)} />
        ))}
      </Stack>
      <DeleteExport datasetId={datasetId} wanted={unwanted} onClose={() => setUnwanted(null)} />
    </>
  );
}

const ListSkeleton = () => <RowSkeletons count={3} height={48} />;
