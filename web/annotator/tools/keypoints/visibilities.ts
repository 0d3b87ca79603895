/** The visibilities of a keypoint as menus offer them. */
export const VISIBILITIES = ["Not labeled", "Labeled, not visible", "Labeled, visible", "Unknown"].map((text, v) => ({
  value: String(v),
  label: `${v}: ${text}`,
}));
