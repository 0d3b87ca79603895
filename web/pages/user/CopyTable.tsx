import { t } from "@lingui/core/macro";
import { ActionIcon, Anchor, Table, Text, VisuallyHidden } from "@mantine/core";
import { Trash2 } from "lucide-react";
import { Link } from "react-router-dom";
import { formatBytes } from "../../components/formatBytes";
import type { Copies } from "../../offline/copies";
import type { CopyProgress } from "../../offline/copy/copiesState";
import { stateText } from "../offline/copyTexts";
import { useRemoveCopy } from "../offline/useRemoveCopy";
import classes from "./UserPage.module.css";

/** The datasets that are available offline, with their sizes. */
export function CopyTable({ copies, datasets }: { copies: Copies; datasets: readonly CopyProgress[] }) {
  const { remove, question } = useRemoveCopy(copies);
  if (datasets.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t`No dataset is available offline. Choose “Available offline…” in the menu of a dataset.`}
      </Text>
    );
  return (
    <Table.ScrollContainer minWidth={420}>
      <Table verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t`Dataset`}</Table.Th>
            <Table.Th>{t`State`}</Table.Th>
            <Table.Th ta="right">{t`Size`}</Table.Th>
            <Table.Th>
              <VisuallyHidden>{t`Remove`}</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {datasets.map((copy) => (
            <Table.Tr key={copy.datasetId}>
              <Table.Td className={classes.cell}>
                <Anchor component={Link} to={`/dataset/${copy.datasetId}`} size="sm">
                  {copy.name}
                </Anchor>
              </Table.Td>
              <Table.Td className={classes.cell}>{stateText(copy)}</Table.Td>
              <Table.Td ta="right" className={classes.number}>
                {formatBytes(copy.bytes.here)}
              </Table.Td>
              <Table.Td ta="right">
                <ActionIcon
                  variant="subtle"
                  color="red"
                  aria-label={removeText(copy.name)}
                  onClick={() => remove(copy)}
                >
                  <Trash2 size={15} />
                </ActionIcon>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {question}
    </Table.ScrollContainer>
  );
}

const removeText = (name: string): string => t`Remove the offline copy of ${name}`;
