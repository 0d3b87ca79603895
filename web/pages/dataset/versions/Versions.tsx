import { t } from "@lingui/core/macro";
import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { BookmarkPlus } from "lucide-react";
import { useState } from "react";
import type { Version } from "../../../../shared/entities/export";
import { LoadError } from "../../../components/messages/LoadError";
import { NeedsServer } from "../../../components/offline/NeedsServer";
import { useVersions } from "../../../queries/tabs/versions";
import { RowSkeletons } from "../../common/RowSkeletons";
import { CompareVersions } from "./CompareVersions";
import { DeleteVersion } from "./DeleteVersion";
import { NewVersion } from "./NewVersion";
import { VersionRow } from "./VersionRow";

/** The named versions of a dataset, newest first, with the command to make one. */
export function Versions({ datasetId, mayDelete }: { datasetId: number; mayDelete: boolean }) {
  const [isNaming, setIsNaming] = useState(false);
  const [unwanted, setUnwanted] = useState<Version | null>(null);
  const [compared, setCompared] = useState<Version | null>(null);
  const query = useVersions(datasetId);
  return (
    <section aria-labelledby="versions-title">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4" id="versions-title">
          {t`Versions`}
        </Title>
        <NeedsServer>
          <Button variant="default" leftSection={<BookmarkPlus size={15} />} onClick={() => setIsNaming(true)}>
            {t`Name this moment…`}
          </Button>
        </NeedsServer>
      </Group>
      {query.state === "loading" && <RowSkeletons count={1} height={60} />}
      {query.state === "failed" && <LoadError error={query.error} onRetry={() => void query.retry()} />}
      {query.state === "loaded" && query.data.length === 0 && (
        <Text size="sm" c="dimmed">
          {t`A version keeps the annotations as they are now under a name, such as “v1.2 for training”. Its file never changes, whatever is drawn later, and versions can be compared.`}
        </Text>
      )}
      {query.state === "loaded" && query.data.length > 0 && (
        <>
          <Stack gap="xs">
            {query.data.map((each) => (
              <VersionRow
                key={each.id}
                version={each}
                onCompare={query.data.length > 1 ? () => setCompared(each) : undefined}
                onDelete={mayDelete ? () => setUnwanted(each) : undefined}
              />
            ))}
          </Stack>
          <CompareVersions versions={query.data} shown={compared} onClose={() => setCompared(null)} />
        </>
      )}
      <NewVersion datasetId={datasetId} opened={isNaming} onClose={() => setIsNaming(false)} />
      <DeleteVersion datasetId={datasetId} wanted={unwanted} onClose={() => setUnwanted(null)} />
    </section>
  );
}
