/** Menu entries for the visibilities of a keypoint. */
export const VISIBILITIES = ["Not labeled", "Labeled, not visible", "Labeled, visible", "Unknown"].map((text, v) => ({
  value: String(v),
  label: `${v}: ${text}`,
}));
