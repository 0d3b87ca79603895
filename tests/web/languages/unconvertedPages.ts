/** Sources of pages and shared components whose texts are not in the catalogues yet. Only shrinks. */
export const UNCONVERTED_PAGES: readonly string[] = [
  "web/components/forms/TagField.tsx",
  "web/components/keypoints/KeypointEditor.tsx",
  "web/components/keypoints/LabelsQuestion.tsx",
  "web/components/keypoints/keypointRows.ts",
  "web/pages/dataset/sidebar/FilterFields.tsx",
  "web/pages/dataset/sidebar/Sidebar.tsx",
  "web/pages/dataset/sidebar/Subdirectories.tsx",
  "web/pages/datasets/CategoryBar.tsx",
  "web/pages/datasets/DatasetCard.tsx",
  "web/pages/datasets/DatasetMenu.tsx",
  "web/pages/datasets/DatasetsHelp.tsx",
  "web/pages/datasets/DatasetsPage.tsx",
  "web/pages/datasets/HelpSteps.tsx",
];
