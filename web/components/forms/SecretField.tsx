import { t } from "@lingui/core/macro";
import { Button, CopyButton, Group, TextInput } from "@mantine/core";
import { Check, Copy } from "lucide-react";
import classes from "./SecretField.module.css";

interface Props {
  /** The field's name. */
  label: string;
  secret: string;
}

/** A secret that is shown once, with a button that copies it. */
export function SecretField({ label, secret }: Props) {
  return (
    <Group gap="xs" wrap="nowrap">
      <TextInput
        aria-label={label}
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
            {copied ? t`Copied` : t`Copy`}
          </Button>
        )}
      </CopyButton>
    </Group>
  );
}
