import { Button, Code, CopyButton, Group, Select, Stack, Text, TextInput } from "@mantine/core";
import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { FormFields } from "../../components/forms/FormFields";
import { FormModal, useFormValues } from "../../components/forms/FormModal";
import { useSubmitOnce } from "../../components/forms/useSubmitOnce";
import { showWarning } from "../../components/messages/toast";
import { baseUrl } from "../../io/http/url";
import { useCreateToken } from "../../queries/tokens";
import classes from "./UserPage.module.css";

const LIFETIMES = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "1 year" },
  { value: "", label: "Never" },
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
      title={data ? "Your new API token" : "Create an API token"}
    >
      {data ? (
        <Secret secret={data.secret} onClose={handleClose} />
      ) : (
        <TokenForm
          isBusy={create.isPending}
          onSubmit={(name, days) => submit({ name, expires_in_days: days }, undefined, () => warnUnseen(name))}
          onCancel={handleClose}
        />
      )}
    </FormModal>
  );
}

const warnUnseen = (name: string) =>
  showWarning(
    "Create an API token",
    `The token “${name}” was created after its form was closed, so its secret was never shown. Revoke the token.`,
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
            label="Name"
            description="Say what the token is for, so that you recognise it later."
            withAsterisk
            data-autofocus
            maxLength={100}
            autoComplete="off"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={isTouched && !name.trim() && "Required"}
          />
          <Select
            label="Expires after"
            data={LIFETIMES}
            value={lifetime}
            onChange={(value) => setLifetime(value ?? "")}
            allowDeselect={false}
          />
        </FormFields>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy}>
            Create Token
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Secret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Stack gap="md">
      <Text size="sm">Copy the token now. It will not be shown again.</Text>
      <Group gap="xs" wrap="nowrap">
        <TextInput
          aria-label="API token"
          readOnly
          data-autofocus
          value={secret}
          onFocus={(event) => event.currentTarget.select()}
          classNames={{ input: classes.secret }}
          flex={1}
        />
        <CopyButton value={secret}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              leftSection={copied ? <Check size={15} /> : <Copy size={15} />}
              onClick={copy}
              aria-live="polite"
            >
              {copied ? "Copied" : "Copy"}
            </Button>
          )}
        </CopyButton>
      </Group>
      <Text size="sm" c="dimmed">
        For example:
      </Text>
      <Code
        block
      >{`curl -H "Authorization: Bearer ${secret.slice(0, 9)}…" \\\n  ${new URL("api/dataset/", baseUrl()).href}`}</Code>
      <Group justify="flex-end">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  );
}
