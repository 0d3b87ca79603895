import { addClicks, addDrags, addKeys, addText, noWork, type Work } from "./hand";

/** The same work in CVAT, counted from its manual. */
interface Peer {
  work: Work;
  /** Pages of the manual: file names below site/content/en/docs/annotation. */
  pages: readonly string[];
}

/**
 * Actions that CVAT's manual needs (repository cvat-ai/cvat, site/content/en/docs, commits 0940af3c, 0e0b9f29, 2d23d255
 * and 2da659b1). Where the manual leaves something open, the count is the lower one.
 */
export const cvat = {
  /**
   * N draws another shape with the settings of the last one; a rectangle has two clicks. The first N counts as if these
   * settings were right.
   */
  boxes: {
    work: addClicks(addKeys(addKeys(noWork(), 1), 19, { isCommand: false }), 40),
    pages: ["shape-mode-basics.md", "objects-sidebar.md"],
  },
  /**
   * Ctrl + click on a label, then Ctrl and its number, which holds for a selection as well. Counted as if the tab with
   * the labels were open.
   */
  relabelCategory: {
    work: addKeys(addClicks(addKeys(noWork(), 1, { isCommand: false }), 1), 2),
    pages: ["multi-object-selection.md", "objects-sidebar.md"],
  },
  /**
   * Shift and a drag around the area; the selection box stays active, so clicks add the others; then Ctrl and the
   * number.
   */
  relabelScattered: {
    work: addKeys(addClicks(addDrags(addKeys(noWork(), 1, { isCommand: false }), 1), 10), 2),
    pages: ["multi-object-selection.md", "objects-sidebar.md"],
  },
  /** J starts joining and, after a click on each shape, executes it. Counted as if it started by the key as well. */
  merge: {
    work: addKeys(addClicks(addKeys(noWork(), 1), 2), 1, { isCommand: false }),
    pages: ["slice-and-join.md"],
  },
  /** Alt + J, a click on the shape, and one on each end of the line, which lie on the contour. */
  split: {
    work: addClicks(addKeys(noWork(), 2), 3),
    pages: ["slice-and-join.md"],
  },
  /**
   * Shift and a drag around the shapes, Ctrl + B, the number of copies, a click to apply. The manual names this key for
   * one object, and says that keys of objects hold for a selection.
   */
  propagate: {
    work: addClicks(addText(addKeys(addDrags(addKeys(noWork(), 1, { isCommand: false }), 1), 2), 2), 1),
    pages: ["objects-sidebar.md", "multi-object-selection.md"],
  },
} satisfies Record<string, Peer>;
