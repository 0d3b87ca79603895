import { t } from "@lingui/core/macro";
import { Button, Group, Paper, Text, Title } from "@mantine/core";
import { useState } from "react";
import { useSubmitOnce } from "../../components/forms/useSubmitOnce";
import { ConfirmModal } from "../../components/messages/ConfirmModal";
import { showSuccess } from "../../components/messages/toast";
import { NeedsServer } from "../../components/offline/NeedsServer";
import type { AboutDataset } from "../../queries/dataset";
import { useResetMetadata } from "../../queries/tabs/statistics";
import { DatasetSettings } from "./DatasetSettings";
import classes from "./DatasetView.module.css";
import { Webhooks } from "./webhooks/Webhooks";

interface Props {
  /** Undefined until loaded. */
  about: AboutDataset | undefined;
  datasetId: number;
}

/** Settings of a dataset, and commands on the whole dataset. */
export function SettingsTab({ about, datasetId }: Props) {
  const datasetName = about?.dataset.name ?? "";
  const permissions = about?.dataset.permissions;
  const [isAsking, setAsking] = useState(false);
  const reset = useResetMetadata(datasetId);
  const submit = useSubmitOnce(reset, isAsking);
  const close = () => setAsking(false);
  const showDone = () => showSuccess(t`Metadata Reset`, t`All metadata of ${datasetName} was reset to the default.`);
  const handleConfirm = () =>
    submit(
      undefined,
      () => {
        showDone();
        close();
      },
      showDone,
    );
  const others = (
    <>
      {permissions?.manage && <Webhooks datasetId={datasetId} />}
      <Paper withBorder p="md">
        <Title order={2}>{t`All metadata`}</Title>
        <Text size="sm" my="xs">
          {t`Resets the metadata of every annotation to the dataset's default and removes all metadata of its images. Annotation names are part of the metadata.`}
        </Text>
        <Group gap="sm">
          {/* "Rest" is spelled as in COCO Annotator, because its guides use this name. */}
          <NeedsServer>
            <Button
              variant="default"
              c={permissions?.owner ? "var(--mantine-color-error)" : undefined}
              disabled={!permissions?.owner}
              onClick={() => setAsking(true)}
            >
              {t`Rest All Metadata`}
            </Button>
          </NeedsServer>
          {permissions && !permissions.owner && (
            <Text size="xs" c="dimmed">
              {t`Only the dataset's owner can do this.`}
            </Text>
          )}
        </Group>
      </Paper>
    </>
  );
  return (
    <div className={classes.settings}>
      {about ? <DatasetSettings about={about}>{others}</DatasetSettings> : others}
      <ConfirmModal
        opened={isAsking}
        title={t`Rest All Metadata`}
        confirm={t`Reset`}
        isBusy={reset.isPending}
        isSent={reset.isPending}
        onConfirm={handleConfirm}
        onClose={close}
      >
        {t`The metadata of all annotations of ${datasetName} will be replaced with the default, and all metadata of its images will be removed. This cannot be undone.`}
      </ConfirmModal>
    </div>
  );
}
