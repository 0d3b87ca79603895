import { msg, t } from "@lingui/core/macro";
import { Button, Code, Group, Select, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { FormFields } from "../../components/forms/FormFields";
import { FormModal, useFormValues } from "../../components/forms/FormModal";
import { SecretField } from "../../components/forms/SecretField";
import { useSubmitOnce } from "../../components/forms/useSubmitOnce";
import { showWarning } from "../../components/messages/toast";
import { baseUrl } from "../../io/http/url";
import { i18n } from "../../languages/i18n";
import { useCreateToken } from "../../queries/scripts/tokens";

const LIFETIMES = [
  { value: "30", label: msg`30 days` },
  { value: "90", label: msg`90 days` },
  { value: "365", label: msg`1 year` },
  { value: "", label: msg`Never` },
];

/**
 * Creates a token and shows its secret once. Closing the dialog discards the secret, so while it is shown, a click
 * outside or Escape does not close the dialog.
 */
export function CreateToken({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const create = useCreateToken();
  const submit = useSubmitOnce(create, opened);
  const { data } = create;
  const handleClose = () => {
    create.reset();
    onClose();
  };
  return (
    <FormModal
      opened={opened}
      onClose={handleClose}
      closeOnClickOutside={!data}
      closeOnEscape={!data}
      size="lg"
      title={data ? t`Your new API token` : t`Create an API token`}
    >
      {data ? (
        <Secret secret={data.secret} onClose={handleClose} />
      ) : (
        <TokenForm
          isBusy={create.isPending}
          onSubmit={(name, days) => submit({ name, expires_in_days: days }, null, () => warnUnseen(name))}
          onCancel={handleClose}
        />
      )}
    </FormModal>
  );
}

const warnUnseen = (name: string) =>
  showWarning(
    t`Create an API token`,
    t`The token “${name}” was created after its form was closed, so its secret was never shown. Revoke the token.`,
  );

interface FormProps {
  isBusy: boolean;
  /** `days` until the token expires; null if never. */
  onSubmit: (name: string, days: number | null) => void;
  onCancel: () => void;
}

function TokenForm({ isBusy, onSubmit, onCancel }: FormProps) {
  const [name, setName] = useState("");
  const [lifetime, setLifetime] = useState("90");
  const [isTouched, setTouched] = useState(false);
  useFormValues({ name, lifetime });
  const handleSubmit = (event: React.FormEvent) => {
    event.preventDefault();
    setTouched(true);
    if (name.trim()) onSubmit(name.trim(), lifetime === "" ? null : Number(lifetime));
  };
  return (
    <form onSubmit={handleSubmit} noValidate>
      <Stack gap="md">
        <FormFields isSent={isBusy} gap="md">
          <TextInput
            label={t`Name`}
            description={t`Say what the token is for, so that you recognise it later.`}
            withAsterisk
            data-autofocus
            maxLength={100}
            autoComplete="off"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={isTouched && !name.trim() && t`Required`}
          />
          <Select
            label={t`Expires after`}
            data={LIFETIMES.map(({ value, label }) => ({ value, label: i18n._(label) }))}
            value={lifetime}
            onChange={(value) => setLifetime(value ?? "")}
            allowDeselect={false}
          />
        </FormFields>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            {t`Cancel`}
          </Button>
          <Button type="submit" loading={isBusy}>
            {t`Create Token`}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Secret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Stack gap="md">
      <Text size="sm">{t`Copy the token now. It will not be shown again.`}</Text>
      <SecretField label={t`API token`} secret={secret} />
      <Text size="sm" c="dimmed">
        {t`For example:`}
      </Text>
      <Code
        block
      >{`curl -H "Authorization: Bearer ${secret.slice(0, 9)}…" \\\n  ${new URL("api/dataset/", baseUrl()).href}`}</Code>
      <Group justify="flex-end">
        <Button onClick={onClose}>{t`Done`}</Button>
      </Group>
    </Stack>
  );
}
