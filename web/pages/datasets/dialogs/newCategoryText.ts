import { t } from "@lingui/core/macro";

/** Returns the question before a new category is created from a typed name. */
export const newCategoryText = (name: string): string =>
  t`Press Enter to create the new category “${name}”, or clear the field.`;
