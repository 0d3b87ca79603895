import { t } from "@lingui/core/macro";
import { Paper, Switch, Text, Title } from "@mantine/core";
import type { Dataset } from "../../../shared/entities/dataset";
import { NeedsServer } from "../../components/offline/NeedsServer";
import { useSetReview } from "../../queries/datasets";

/** Switch that lets images wait for a reviewer when their annotators have finished. */
export function ReviewSetting({ dataset: { id, review } }: { dataset: Pick<Dataset, "id" | "review"> }) {
  const set = useSetReview(id);
  return (
    <Paper withBorder p="md">
      <Title order={2}>{t`Review`}</Title>
      <Text size="sm" my="xs">
        {t`An image that its annotator has submitted waits until a reviewer accepts it, or returns it for another round.`}
      </Text>
      <NeedsServer>
        <Switch
          label={t`Ask for review`}
          checked={set.isPending ? set.variables : review}
          disabled={set.isPending}
          onChange={(event) => set.mutate(event.currentTarget.checked)}
        />
      </NeedsServer>
    </Paper>
  );
}
