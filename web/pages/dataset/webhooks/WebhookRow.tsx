import { plural, t } from "@lingui/core/macro";
import { ActionIcon, Badge, Group, Menu, Paper, Switch, Text } from "@mantine/core";
import { Ellipsis, List, Pencil, Send, Trash2 } from "lucide-react";
import type { Webhook } from "../../../../shared/entities/webhook";
import { showSuccess } from "../../../components/messages/toast";
import { NeedsServer } from "../../../components/offline/NeedsServer";
import { usePingWebhook, useUpdateWebhook } from "../../../queries/scripts/webhooks";
import classes from "./Webhooks.module.css";

interface Props {
  datasetId: number;
  webhook: Webhook;
  onOpen: (dialog: "edit" | "delete" | "deliveries") => void;
}

/** One webhook: its address, events and state, with its commands. */
export function WebhookRow({ datasetId, webhook, onOpen }: Props) {
  const { id, url, events, active, failures, pending, disabled_reason: reason } = webhook;
  const update = useUpdateWebhook(datasetId);
  const ping = usePingWebhook(datasetId);
  const handlePing = () =>
    ping.mutate(id, {
      onSuccess: () =>
        showSuccess(t`Webhook`, t`A test message is on its way. The deliveries show whether it arrives.`),
    });
  return (
    <Paper component="li" withBorder p="xs" aria-label={url}>
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <NeedsServer>
          <Switch
            mt={2}
            aria-label={t`Send to ${url}`}
            checked={active}
            disabled={update.isPending}
            onChange={({ currentTarget }) => update.mutate({ webhookId: id, active: currentTarget.checked })}
          />
        </NeedsServer>
        <div className={classes.about}>
          <Text size="sm" fw={500} className={classes.url}>
            {url}
          </Text>
          <Text size="xs" c="dimmed">
            {events.join(", ")}
          </Text>
          {reason !== null && (
            <Text size="xs" c="var(--mantine-color-error)">
              {t`Switched off by the server: ${reason}`}
            </Text>
          )}
        </div>
        {failures > 0 && (
          <Badge color="red" variant="outline">
            {plural(failures, { one: "# failure", other: "# failures" })}
          </Badge>
        )}
        {pending > 0 && <Badge color="gray" variant="default">{t`${pending} waiting`}</Badge>}
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={t`Commands for ${url}`}>
              <Ellipsis size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <NeedsServer>
              <Menu.Item leftSection={<List size={14} />} onClick={() => onOpen("deliveries")}>
                {t`Deliveries`}
              </Menu.Item>
            </NeedsServer>
            <NeedsServer>
              <Menu.Item leftSection={<Send size={14} />} disabled={ping.isPending} onClick={handlePing}>
                {t`Send a test message`}
              </Menu.Item>
            </NeedsServer>
            <NeedsServer>
              <Menu.Item leftSection={<Pencil size={14} />} onClick={() => onOpen("edit")}>
                {t`Edit`}
              </Menu.Item>
            </NeedsServer>
            <NeedsServer>
              <Menu.Item
                c="var(--mantine-color-error)"
                leftSection={<Trash2 size={14} />}
                onClick={() => onOpen("delete")}
              >
                {t`Delete`}
              </Menu.Item>
            </NeedsServer>
          </Menu.Dropdown>
        </Menu>
      </Group>
    </Paper>
  );
}
