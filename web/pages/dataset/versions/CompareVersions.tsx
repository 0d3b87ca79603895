import { t } from "@lingui/core/macro";
import { Modal, Select, Skeleton, Stack, Table, Text } from "@mantine/core";
import { useState } from "react";
import type { Version, VersionComparison } from "../../../../shared/entities/export";
import { LoadError } from "../../../components/messages/LoadError";
import { useComparison } from "../../../queries/tabs/versions";

interface Props {
  versions: readonly Version[];
  /** The version that is compared. The dialog is closed while there is none. */
  shown: Version | null;
  onClose: () => void;
}

/** Shows the differences between a version and another one: at first the one before it. */
export function CompareVersions({ versions, shown, onClose }: Props) {
  return (
    <Modal opened={shown !== null} onClose={onClose} title={t`Compare versions`} size="lg">
      {shown && <Comparison key={shown.id} versions={versions} shown={shown} />}
    </Modal>
  );
}

function Comparison({ versions, shown }: { versions: readonly Version[]; shown: Version }) {
  const others = versions.filter(({ id }) => id !== shown.id);
  const [otherId, setOtherId] = useState(() => (others.find(({ id }) => id < shown.id) ?? others[0])?.id);
  if (otherId === undefined) return null;
  const { name } = shown;
  return (
    <Stack gap="md">
      <Select
        label={t`Changes to “${name}” since`}
        data={others.map((each) => ({ value: String(each.id), label: each.name }))}
        value={String(otherId)}
        onChange={(value) => value && setOtherId(Number(value))}
        allowDeselect={false}
      />
      <Differences id={otherId} otherId={shown.id} />
    </Stack>
  );
}

function Differences({ id, otherId }: { id: number; otherId: number }) {
  const query = useComparison(id, otherId);
  if (query.state === "loading") return <Skeleton height={140} />;
  if (query.state === "failed") return <LoadError error={query.error} onRetry={() => void query.retry()} />;
  const { images, annotations, categories } = query.data;
  const isSame = [images, annotations].every(({ added, removed, changed }) => added + removed + changed === 0);
  if (isSame) return <Text size="sm">{t`Images and annotations are the same.`}</Text>;
  return (
    <Table withRowBorders={false} verticalSpacing={4}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th />
          <Table.Th ta="right">{t`Added`}</Table.Th>
          <Table.Th ta="right">{t`Removed`}</Table.Th>
          <Table.Th ta="right">{t`Changed`}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        <Row name={t`Images`} counts={images} isSum />
        <Row name={t`Annotations`} counts={annotations} isSum />
        {categories.map((each) => (
          <Row key={each.name} name={each.name} counts={each} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

interface RowProps {
  name: string;
  counts: VersionComparison["images"];
  isSum?: boolean;
}

function Row({ name, counts: { added, removed, changed }, isSum = false }: RowProps) {
  return (
    <Table.Tr fw={isSum ? 600 : undefined}>
      <Table.Th scope="row" fw="inherit" pl={isSum ? undefined : "lg"}>
        {name}
      </Table.Th>
      {[added, removed, changed].map((count, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the columns never change their order
        <Table.Td key={index} ta="right" c={count === 0 ? "dimmed" : undefined}>
          {count}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}
