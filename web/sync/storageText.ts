import { t } from "@lingui/core/macro";

/** Returns the warning of a page that could not read the journal, which may hold edits of earlier pages. */
export const storageText = (): string =>
  t`This browser's storage does not respond. Changes that are not on the server yet may be lost.`;
