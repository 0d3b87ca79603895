import { t } from "@lingui/core/macro";

/** Returns menu entries for the visibilities of a keypoint. */
export const visibilities = () =>
  [t`Not labeled`, t`Labeled, not visible`, t`Labeled, visible`, t`Unknown`].map((text, v) => ({
    value: String(v),
    label: `${v}: ${text}`,
  }));
