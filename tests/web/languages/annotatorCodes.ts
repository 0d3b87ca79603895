/**
 * Names of the annotator that look like texts where they are not shown: tools, groups of commands, commands and states.
 */
export const ANNOTATOR_CODES: readonly string[] = [
  ...["Select", "Polygon", "Magic Wand", "Brush", "Eraser", "Keypoints", "Scissors", "Ellipse", "Rotated Box", "Line"],
  ...["Split", "General", "Tools", "Annotations", "Selection", "Categories", "Labels", "View"],
  ...["much smaller", "much larger", "to box", "to outline", "subtract neighbours", "subtract above"],
  ...["zoom to selection", "image settings", "delete image", "new category", "label picker", "go to", "tool "],
  ...["zoom in", "zoom out", "actual size"],
  ...[
    "keypoint template",
    "skip keypoint",
    "next not annotated",
    "done next",
    "return next",
    "category ",
    "annotator ",
    "toggle ",
    "attribute ",
  ],
  ...["moving keypoint", "rotated box", "image not here", "copy source", "categories and annotations"],
  ...["nudge ", "palette ", "label ", "more ", "less ", "yes true", "no false", "Esc", "Plus", "Arrow"],
  ...["(pointer: coarse)", "px system-ui, sans-serif", "annotator-crosshair ", "xMidYMid meet"],
];
