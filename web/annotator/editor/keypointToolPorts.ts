import { KEYPOINT } from "../../../shared/constants";
import type { Stage } from "../canvas/stage";
import type { AnnotatorDocument } from "../document/document";
import type { Keypoints } from "../keypoints/Keypoints";
import type { PlacingPorts } from "../tools/common/keypointPorts";
import type { Display } from "./display";
import { keypointText } from "./hoverText";

interface Parts {
  document: AnnotatorDocument;
  keypoints: Keypoints;
  display: Display;
  stage: () => Stage | null;
}

/** Returns the tools' access to the keypoints of the selected annotation. */
export function keypointPorts({ document, keypoints, display, stage }: Parts): PlacingPorts {
  return {
    at: (point, radius) => (document.isReadOnly ? null : keypoints.at(point, radius)),
    hover: (label, at) => {
      keypoints.hover(label);
      const { selected } = keypoints;
      const text =
        selected && label !== null && at ? keypointText(selected.annotation, selected.category, label) : null;
      stage()?.labels.showNote(text, at);
      stage()?.requestFrame();
    },
    click: (label) => keypoints.click(label),
    doubleClick: (label) => keypoints.doubleClick(label),
    preview: (point, v = KEYPOINT.visibility) => {
      const stored = point && keypoints.stored(point.label);
      const shown = point && { label: point.label, x: point.x, y: point.y, v: stored?.v || v || KEYPOINT.visibility };
      display.showKeypointPreview(shown);
    },
    move: (label, to) => keypoints.move(label, to),
    next: () => {
      const { next } = keypoints.store.getState();
      return next && { label: next.id, name: next.name };
    },
    mayPlace: () => keypoints.mayBegin(),
    place: (at, v) => keypoints.place(at, v),
    removeLast: () => keypoints.removeLast(),
  };
}
