import { plural, t } from "@lingui/core/macro";
import { Button, Code, Group, Modal, Stack, Table, Text, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { RotateCw } from "lucide-react";
import { Fragment, useState } from "react";
import type { Webhook, WebhookDelivery } from "../../../../shared/entities/webhook";
import { AgoTime } from "../../../components/agoText";
import { LoadError } from "../../../components/messages/LoadError";
import { NeedsServer } from "../../../components/offline/NeedsServer";
import { i18n } from "../../../languages/i18n";
import { SHOWN_DELIVERIES, useDeliveries, useRepeatDelivery } from "../../../queries/scripts/webhooks";
import { RowSkeletons } from "../../common/RowSkeletons";
import { STATE_COLORS, STATE_TEXTS } from "./eventTexts";
import classes from "./Webhooks.module.css";

interface Props {
  datasetId: number;
  /** Null while the dialog is closed. */
  webhook: Webhook | null;
  onClose: () => void;
}

/** The newest deliveries of a webhook: what was sent, what came back, and a button to send it again. */
export function Deliveries({ datasetId, webhook, onClose }: Props) {
  return (
    <Modal opened={webhook !== null} onClose={onClose} size="xl" title={t`Deliveries of the last seven days`}>
      {webhook && <List datasetId={datasetId} webhook={webhook} />}
    </Modal>
  );
}

function List({ datasetId, webhook }: { datasetId: number; webhook: Webhook }) {
  const list = useDeliveries(datasetId, webhook.id);
  if (list.state === "loading") return <RowSkeletons count={4} height={30} />;
  if (list.state === "failed") return <LoadError error={list.error} onRetry={() => void list.retry()} />;
  const { data } = list;
  if (data.length === 0)
    return <Text size="sm" c="dimmed">{t`Nothing was sent yet. Send a test message to try the address.`}</Text>;
  return (
    <Stack gap="xs">
      <Text size="xs" c="dimmed" className={classes.url}>
        {webhook.url}
      </Text>
      <Table.ScrollContainer minWidth={560}>
        <Table verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t`Event`}</Table.Th>
              <Table.Th>{t`State`}</Table.Th>
              <Table.Th>{t`Response`}</Table.Th>
              <Table.Th>{t`Created`}</Table.Th>
              <Table.Th>
                <VisuallyHidden>{t`Send again`}</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.map((delivery) => (
              <Row key={delivery.id} datasetId={datasetId} webhookId={webhook.id} delivery={delivery} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {data.length === SHOWN_DELIVERIES && (
        <Text size="xs" c="dimmed">
          {t`The newest ${SHOWN_DELIVERIES} are shown.`}
        </Text>
      )}
    </Stack>
  );
}

interface RowProps {
  datasetId: number;
  webhookId: number;
  delivery: WebhookDelivery;
}

function Row({ datasetId, webhookId, delivery }: RowProps) {
  const { id, event, state, attempts, body } = delivery;
  const [isOpen, setOpen] = useState(false);
  const repeat = useRepeatDelivery(datasetId, webhookId);
  return (
    <Fragment>
      <Table.Tr>
        <Table.Td>
          <UnstyledButton aria-expanded={isOpen} fz="sm" td="underline" onClick={() => setOpen(!isOpen)}>
            {event}
          </UnstyledButton>
        </Table.Td>
        <Table.Td>
          <Group gap={6} wrap="nowrap">
            <Text size="sm" fw={500} c={STATE_COLORS[state]}>
              {i18n._(STATE_TEXTS[state])}
            </Text>
            {attempts > 1 && (
              <Text size="xs" c="dimmed">
                {plural(attempts, { one: "# attempt", other: "# attempts" })}
              </Text>
            )}
          </Group>
        </Table.Td>
        <Table.Td>
          <Text size="xs" className={classes.url}>
            {responseText(delivery)}
          </Text>
        </Table.Td>
        <Table.Td>
          <Text size="xs">
            <AgoTime iso={delivery.created_at} />
          </Text>
        </Table.Td>
        <Table.Td>
          <Group justify="flex-end">
            <NeedsServer>
              <Button
                size="compact-xs"
                variant="default"
                leftSection={<RotateCw size={12} />}
                loading={repeat.isPending}
                onClick={() => repeat.mutate(id)}
              >
                {t`Send again`}
              </Button>
            </NeedsServer>
          </Group>
        </Table.Td>
      </Table.Tr>
      {isOpen && (
        <Table.Tr>
          <Table.Td colSpan={5}>
            <Code block className={classes.body} tabIndex={0}>
              {body === null ? t`Not sent yet` : readable(body)}
            </Code>
          </Table.Td>
        </Table.Tr>
      )}
    </Fragment>
  );
}

/** Returns the status and the time of the last attempt, or the reason why it failed. */
function responseText({ status, error, milliseconds }: WebhookDelivery): string {
  const time = milliseconds === null ? "" : t`${milliseconds} ms`;
  return [status === null ? "" : String(status), error ?? "", time].filter(Boolean).join(" · ") || "–";
}

/** Returns a body with a line for each field, or as it is if it is not JSON. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
