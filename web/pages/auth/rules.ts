import { plural, t } from "@lingui/core/macro";
import { NEW_USERNAME } from "../../../shared/entities/accounts/user";

/** Validators of the login and register forms; each returns an error message, or null. */

export const usernameError = (value: string): string | null =>
  NEW_USERNAME.test(value) ? null : value.length > 25 ? t`At most 25 characters.` : t`Invalid username format`;

export const requiredError = (value: string): string | null => (value === "" ? t`Required` : null);

/** Returns the text of the password rule, shown both as hint and as error. */
export const minimumText = (min: number): string => plural(min, { other: "Minimum length of # characters." });

export const passwordError = (min: number) => (value: string) => (value.length < min ? minimumText(min) : null);

export const confirmError = (value: string, values: { password: string }): string | null =>
  value === values.password ? null : t`Passwords do not match`;
