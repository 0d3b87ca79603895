import { t } from "@lingui/core/macro";
/** A step of the tour: an explanation beside the control that it is about. */
export interface TourStep {
  title: string;
  text: string;
  /** Selector of the control; the first visible match is used. Without a match, the card is in a corner of the page. */
  anchor: string;
  /** Command whose keys are shown. */
  command?: string;
}

/** Returns the steps in order. */
export const tourSteps = (): readonly TourStep[] => [
  {
    title: t`Draw your first box`,
    text: t`Choose BBox, click one corner of an object and then the opposite one. The tour stays open while you draw.`,
    anchor: '[data-tour="tool BBox"]',
    command: "tool BBox",
  },
  {
    title: t`Choose what it is`,
    text: t`New shapes get this category. To choose another category, also for the selected shape, click here or press the key over the image.`,
    anchor: '[data-tour="category"]',
    command: "label picker",
  },
  {
    title: t`Other tools`,
    text: t`Polygons, a magic wand, a brush, keypoints, and DEXTR, which finds an outline from four clicks. Hover over a tool to see its name and key; its options are at the lower right.`,
    anchor: '[data-tour="tool Polygon"]',
  },
  {
    title: t`Everything on this image`,
    text: t`Each annotation has a row: click it to select the shape, double click to name it. The field above finds categories and annotations.`,
    anchor: 'aside [role="tree"]',
  },
  {
    title: t`Nothing to save`,
    text: t`Every change is saved at once, even offline. Undo goes back step by step.`,
    anchor: "[data-save-state]",
    command: "undo",
  },
  {
    title: t`On to the next image`,
    text: t`The arrows follow the list that you came from, and the film strip below the image shows it.`,
    anchor: '[data-tour="next"]',
    command: "next",
  },
  {
    title: t`All keys in one place`,
    text: t`Every command has a key that you can change here. This tour is in Help, in the bar above.`,
    anchor: '[data-tour="help"]',
    command: "help",
  },
];
