import { t } from "@lingui/core/macro";
import { PasswordInput, type PasswordInputProps, TextInput, type TextInputProps } from "@mantine/core";
import { minimumText } from "./rules";

/** Fields shared by the account forms. Props are passed through to the Mantine input. */

export const UsernameField = (props: TextInputProps) => (
  <TextInput label={t`Username`} autoComplete="username" autoCapitalize="none" {...props} />
);

export const FullNameField = (props: TextInputProps) => (
  <TextInput label={t`Full Name`} autoComplete="off" maxLength={100} {...props} />
);

/** Field for a new password of at least `min` characters. */
export const NewPasswordField = ({ min, ...props }: PasswordInputProps & { min: number }) => (
  <PasswordInput label={t`Password`} description={minimumText(min)} autoComplete="new-password" {...props} />
);

export const ConfirmField = (props: PasswordInputProps) => (
  <PasswordInput label={t`Confirm Password`} autoComplete="new-password" {...props} />
);
