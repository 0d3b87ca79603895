/** A step of the tour: what it explains, beside the control that it is about. */
export interface TourStep {
  title: string;
  text: string;
  /** Selector of the control; the first visible one is used. Without any, the step is in the corner of the image. */
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
    text: "New shapes get this category. Click it, or press the key over the image, to choose another one or to change that of the selected shape.",
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
    text: "Every change is stored at once, also without a network. Undo goes back step by step.",
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
