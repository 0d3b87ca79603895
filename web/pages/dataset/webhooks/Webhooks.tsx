import { t } from "@lingui/core/macro";
import { Button, Paper, Stack, Text, Title } from "@mantine/core";
import { Plus } from "lucide-react";
import { useState } from "react";
import type { Webhook } from "../../../../shared/entities/webhook";
import { useSubmitOnce } from "../../../components/forms/useSubmitOnce";
import { ConfirmModal } from "../../../components/messages/ConfirmModal";
import { LoadError } from "../../../components/messages/LoadError";
import { showSuccess } from "../../../components/messages/toast";
import { NeedsServer } from "../../../components/offline/NeedsServer";
import { useDeleteWebhook, useWebhooks } from "../../../queries/scripts/webhooks";
import { RowSkeletons } from "../../common/RowSkeletons";
import { Deliveries } from "./Deliveries";
import { WebhookForm } from "./WebhookForm";
import { WebhookRow } from "./WebhookRow";

/** The open dialog: a new webhook, or a command on one. */
type Dialog = { name: "create" } | { name: "edit" | "delete" | "deliveries"; webhook: Webhook };

/** The webhooks of a dataset, for its owner: addresses that receive its events. */
export function Webhooks({ datasetId }: { datasetId: number }) {
  const list = useWebhooks(datasetId);
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const close = () => setDialog(null);
  const webhookOf = (name: Dialog["name"]): Webhook | null =>
    dialog?.name === name && "webhook" in dialog ? dialog.webhook : null;
  return (
    <Paper withBorder p="md">
      <Title order={2}>{t`Webhooks`}</Title>
      <Text size="sm" my="xs">
        {t`Addresses that receive a message when something happens in this dataset, so that scripts need not ask again and again.`}
      </Text>
      {/* Above the list, which must not move it under the pointer when it arrives. */}
      <NeedsServer>
        <Button
          variant="default"
          leftSection={<Plus size={15} />}
          mb="sm"
          onClick={() => setDialog({ name: "create" })}
        >
          {t`Add webhook`}
        </Button>
      </NeedsServer>
      {list.state === "loading" && <RowSkeletons count={2} />}
      {list.state === "failed" && <LoadError error={list.error} onRetry={() => void list.retry()} />}
      {list.state === "loaded" && list.data.length > 0 && (
        <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: "none" }} aria-label={t`Webhooks`}>
          {list.data.map((webhook) => (
            <WebhookRow
              key={webhook.id}
              datasetId={datasetId}
              webhook={webhook}
              onOpen={(name) => setDialog({ name, webhook })}
            />
          ))}
        </Stack>
      )}
      <WebhookForm
        datasetId={datasetId}
        opened={dialog?.name === "create" || dialog?.name === "edit"}
        webhook={webhookOf("edit")}
        onClose={close}
      />
      <Deliveries datasetId={datasetId} webhook={webhookOf("deliveries")} onClose={close} />
      <DeleteQuestion datasetId={datasetId} webhook={webhookOf("delete")} onClose={close} />
    </Paper>
  );
}

interface DeleteProps {
  datasetId: number;
  /** Null while the question is closed. */
  webhook: Webhook | null;
  onClose: () => void;
}

function DeleteQuestion({ datasetId, webhook, onClose }: DeleteProps) {
  const url = webhook?.url ?? "";
  const remove = useDeleteWebhook(datasetId);
  const submit = useSubmitOnce(remove, webhook !== null);
  return (
    <ConfirmModal
      opened={webhook !== null}
      title={t`Delete webhook?`}
      confirm={t`Delete`}
      isBusy={remove.isPending}
      isSent={remove.isPending}
      onConfirm={() =>
        webhook &&
        submit(webhook.id, onClose, () => showSuccess(t`Delete webhook`, t`The webhook to ${url} was deleted.`))
      }
      onClose={onClose}
    >
      {t`${url} will receive nothing more, and the list of its deliveries is deleted. This cannot be undone.`}
    </ConfirmModal>
  );
}
