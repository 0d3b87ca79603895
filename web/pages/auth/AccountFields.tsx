import { PasswordInput, type PasswordInputProps, TextInput, type TextInputProps } from "@mantine/core";
import { minimumText } from "./rules";

/** Fields that several forms about accounts have; what a form knows of a field goes in as it is. */

export const UsernameField = (props: TextInputProps) => (
  <TextInput label="Username" autoComplete="username" autoCapitalize="none" {...props} />
);

export const FullNameField = (props: TextInputProps) => (
  <TextInput label="Full Name" autoComplete="off" maxLength={100} {...props} />
);

/** `min`: the characters that it must have. */
export const NewPasswordField = ({ min, ...props }: PasswordInputProps & { min: number }) => (
  <PasswordInput label="Password" description={minimumText(min)} autoComplete="new-password" {...props} />
);

export const ConfirmField = (props: PasswordInputProps) => (
  <PasswordInput label="Confirm Password" autoComplete="new-password" {...props} />
);
