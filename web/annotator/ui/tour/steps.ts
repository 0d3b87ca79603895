/** A step of the tour: an explanation beside the control that it is about. */
export interface TourStep {
  title: string;
  text: string;
  /** Selector of the control; the first visible match is used. Without a match, the card is in a corner of the page. */
  anchor: string;
  /** Command whose keys are shown. */
  command?: string;
}

export const STEPS: readonly TourStep[] = [
  {
    title: "Draw your first box",
    text: "Choose BBox, click one corner of an object and then the opposite one. The tour stays open while you draw.",
    anchor: '[aria-label="BBox Tool"]',
    command: "tool BBox",
  },
  {
    title: "Choose what it is",
    text: "New shapes get this category. To choose another category, also for the selected shape, click here or press the key over the image.",
    anchor: '[aria-label^="New annotations go to"], [aria-label^="Category: "]',
    command: "label picker",
  },
  {
    title: "Other tools",
    text: "Polygons, a magic wand, a brush, keypoints, and DEXTR, which finds an outline from four clicks. Hover over a tool to see its name and key; its options are at the lower right.",
    anchor: '[aria-label="Polygon Tool"]',
  },
  {
    title: "Everything on this image",
    text: "Each annotation has a row: click it to select the shape, double click to name it. The field above finds categories and annotations.",
    anchor: 'aside[aria-label="Annotations"] [role="tree"]',
  },
  {
    title: "Nothing to save",
    text: "Every change is saved at once, even offline. Undo goes back step by step.",
    anchor: "[data-save-state]",
    command: "undo",
  },
  {
    title: "On to the next image",
    text: "The arrows follow the list that you came from, and the film strip below the image shows it.",
    anchor: '[aria-label="Next Image"]',
    command: "next",
  },
  {
    title: "All keys in one place",
    text: "Every command has a key that you can change here. This tour is in Help, in the bar above.",
    anchor: '[aria-label="Keyboard Shortcuts"]',
    command: "help",
  },
];
