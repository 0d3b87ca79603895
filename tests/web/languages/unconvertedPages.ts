/** Sources of pages and shared components whose texts are not in the catalogues yet. Only shrinks. */
export const UNCONVERTED_PAGES: readonly string[] = [
  "web/components/forms/TagField.tsx",
  "web/components/keypoints/KeypointEditor.tsx",
  "web/components/keypoints/keypointRows.ts",
  "web/pages/dataset/sidebar/Sidebar.tsx",
];
