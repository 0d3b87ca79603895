import { t } from "@lingui/core/macro";
import { Button, Checkbox, Code, Group, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { WEBHOOK_EVENTS, type Webhook, type WebhookEvent } from "../../../../shared/entities/webhook";
import { FormFields } from "../../../components/forms/FormFields";
import { FormModal, useFormValues } from "../../../components/forms/FormModal";
import { SecretField } from "../../../components/forms/SecretField";
import { useSubmitOnce } from "../../../components/forms/useSubmitOnce";
import { showSuccess, showWarning } from "../../../components/messages/toast";
import { i18n } from "../../../languages/i18n";
import { useCreateWebhook, useUpdateWebhook } from "../../../queries/scripts/webhooks";
import { EVENT_TEXTS } from "./eventTexts";

interface Props {
  datasetId: number;
  opened: boolean;
  /** The webhook to change; null for a new one. */
  webhook: Webhook | null;
  onClose: () => void;
}

/**
 * Adds a webhook and shows its secret once, or changes a webhook. While the secret is shown, a click outside or Escape
 * does not close the dialog.
 */
export function WebhookForm({ datasetId, opened, webhook, onClose }: Props) {
  const create = useCreateWebhook(datasetId);
  const update = useUpdateWebhook(datasetId);
  const submitNew = useSubmitOnce(create, opened && webhook === null);
  const submitChange = useSubmitOnce(update, opened && webhook !== null);
  const secret = create.data?.secret;
  const handleSubmit = ({ url, events, secret: chosen }: Values) => {
    const secretOf = chosen === "" ? {} : { secret: chosen };
    if (webhook)
      // Only what the user changed: another maintainer may have changed the rest since the form was opened.
      submitChange(
        {
          webhookId: webhook.id,
          ...(url !== webhook.url && { url }),
          ...eventsChange(webhook.events, events),
          ...secretOf,
        },
        onClose,
        () => showSuccess(t`Webhook`, t`${url} was changed.`),
      );
    else
      submitNew(
        { url, events, ...secretOf },
        (made) => {
          if (made.secret === null) onClose();
        },
        (made) => made.secret !== null && warnUnseen(url),
      );
  };
  return (
    <FormModal
      opened={opened}
      onClose={onClose}
      isForm={!secret}
      closeOnClickOutside={!secret}
      closeOnEscape={!secret}
      size="lg"
      title={secret ? t`The webhook's secret` : webhook ? t`Edit webhook` : t`Add webhook`}
    >
      {secret ? (
        <Stack gap="md">
          <Text size="sm">
            {t`Copy the secret now: the receiver checks with it that a message is from this server. It will not be shown again.`}
          </Text>
          <SecretField label={t`Secret`} secret={secret} />
          <Group justify="flex-end">
            <Button onClick={onClose}>{t`Done`}</Button>
          </Group>
        </Stack>
      ) : (
        <Fields
          webhook={webhook}
          isBusy={create.isPending || update.isPending}
          onSubmit={handleSubmit}
          onCancel={onClose}
        />
      )}
    </FormModal>
  );
}

/** Returns the fields that change events from `before` to `now`. */
function eventsChange(before: readonly WebhookEvent[], now: readonly WebhookEvent[]) {
  const added = now.filter((event) => !before.includes(event));
  const removed = before.filter((event) => !now.includes(event));
  return { ...(added.length > 0 && { add_events: added }), ...(removed.length > 0 && { remove_events: removed }) };
}

const warnUnseen = (url: string) =>
  showWarning(
    t`Add webhook`,
    t`The webhook to ${url} was added after its form was closed, so its secret was never shown. Set another one.`,
  );

interface Values {
  url: string;
  events: WebhookEvent[];
  /** Empty to let the server choose one, or to keep the old one. */
  secret: string;
}

interface FieldsProps {
  webhook: Webhook | null;
  isBusy: boolean;
  onSubmit: (values: Values) => void;
  onCancel: () => void;
}

/** Least number of characters of a secret. */
const LEAST = 16;

function Fields({ webhook, isBusy, onSubmit, onCancel }: FieldsProps) {
  const [url, setUrl] = useState(webhook?.url ?? "");
  const [events, setEvents] = useState<string[]>(webhook?.events ?? ["image.done"]);
  const [secret, setSecret] = useState("");
  const [isTouched, setTouched] = useState(false);
  useFormValues({ url, events, secret });
  const chosen = WEBHOOK_EVENTS.filter((event) => events.includes(event));
  const errors = {
    url: !/^https?:\/\/./i.test(url.trim()) && t`Must be an http or https address`,
    events: chosen.length === 0 && t`Choose at least one event`,
    secret: secret !== "" && secret.length < LEAST && t`A secret has at least ${LEAST} characters`,
  };
  const handleSubmit = (event: React.FormEvent) => {
    event.preventDefault();
    setTouched(true);
    if (!errors.url && !errors.events && !errors.secret) onSubmit({ url: url.trim(), events: chosen, secret });
  };
  return (
    <form onSubmit={handleSubmit} noValidate>
      <Stack gap="md">
        <FormFields isSent={isBusy} gap="md">
          <TextInput
            label={t`Address`}
            description={t`Receives each message by POST.`}
            withAsterisk
            data-autofocus
            type="url"
            maxLength={2000}
            autoComplete="off"
            value={url}
            onChange={({ currentTarget }) => setUrl(currentTarget.value)}
            error={isTouched && errors.url}
          />
          <Checkbox.Group
            label={t`Events`}
            withAsterisk
            value={events}
            onChange={setEvents}
            error={isTouched && errors.events}
          >
            <Stack gap="xs" mt="xs">
              {WEBHOOK_EVENTS.map((event) => (
                <Checkbox
                  key={event}
                  value={event}
                  label={i18n._(EVENT_TEXTS[event])}
                  description={<Code>{event}</Code>}
                />
              ))}
            </Stack>
          </Checkbox.Group>
          <PasswordInput
            label={t`Secret`}
            description={
              webhook
                ? t`Leave empty to keep the present one.`
                : t`Key of the signatures. Leave empty, and the server chooses one and shows it once.`
            }
            autoComplete="new-password"
            maxLength={200}
            value={secret}
            onChange={({ currentTarget }) => setSecret(currentTarget.value)}
            error={isTouched && errors.secret}
          />
        </FormFields>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            {t`Cancel`}
          </Button>
          <Button type="submit" loading={isBusy}>
            {webhook ? t`Save` : t`Add webhook`}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
