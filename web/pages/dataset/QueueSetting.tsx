import { t } from "@lingui/core/macro";
import { Paper, Select, Stack, Switch, Text, Title } from "@mantine/core";
import type { Dataset, QueueOrder } from "../../../shared/entities/dataset";
import { NeedsServer } from "../../components/offline/NeedsServer";
import { useSetQueue } from "../../queries/datasets";
import { ComparedImages } from "./ComparedImages";

type Props = Pick<Dataset, "id" | "queue_order" | "queue_assigned_only">;

/** Settings of the queue, from which annotators get their next image. */
export function QueueSetting({ dataset }: { dataset: Props }) {
  const set = useSetQueue(dataset.id);
  const orders: { value: QueueOrder; label: string }[] = [
    { value: "list", label: t`By file name` },
    { value: "smart", label: t`Most useful for training first` },
    { value: "farthest", label: t`Most different from annotated images first` },
  ];
  const handleChange = (chosen: string | null) => {
    const order = orders.find(({ value }) => value === chosen);
    if (order) set.mutate({ queue_order: order.value });
  };
  const shown = { ...dataset, ...(set.isPending && set.variables) };
  return (
    <Paper withBorder p="md">
      <Title order={2}>{t`Queue`}</Title>
      <Text size="sm" my="xs">
        {t`“Work on the next image” gives each annotator another image: those that were returned first, then assigned ones, then those of nobody.`}
      </Text>
      <Stack gap="sm">
        <NeedsServer>
          <Select
            label={t`Order of the queue`}
            maw={360}
            data={orders}
            value={shown.queue_order}
            onChange={handleChange}
            allowDeselect={false}
            disabled={set.isPending}
          />
        </NeedsServer>
        {shown.queue_order === "farthest" && (
          <>
            <Text size="sm">
              {t`Images that look least like those with annotations come first, so that few images show all kinds. DEXTR’s network compares them, once for each image.`}
            </Text>
            <ComparedImages datasetId={dataset.id} />
          </>
        )}
        <NeedsServer>
          <Switch
            label={t`Only assigned images`}
            checked={shown.queue_assigned_only}
            disabled={set.isPending}
            onChange={(event) => set.mutate({ queue_assigned_only: event.currentTarget.checked })}
          />
        </NeedsServer>
      </Stack>
    </Paper>
  );
}
