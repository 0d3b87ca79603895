import { t } from "@lingui/core/macro";
import type { Annotation } from "../../../shared/entities/annotation";
import { KEYPOINT_REACH_PX } from "../canvas/shapes/paint";
import type { Shapes } from "../canvas/shapes/shapes";
import type { View } from "../canvas/view/view";
import type { Locks } from "../document/locks";
import { isBoxOnly, sourceOf } from "../document/outlines";
import { changedMeanwhileText, OwnShapes } from "../drawing/ownShapes";
import type { ShapeOperations } from "../drawing/shapeOperations";
import { snapPort } from "../drawing/snapPort";
import type { Keypoints } from "../keypoints/Keypoints";
import { type SelectionPortParts, selectionPorts } from "../selected/selectionPorts";
import type {
  CirclePort,
  CursorPort,
  DextrPort,
  MessagePort,
  NotePort,
  PickPort,
  ScissorsPort,
  SelectedShape,
  ShapePort,
  TargetPort,
  ToolPorts,
  ViewPort,
  WandPort,
} from "../tools/common/ports";
import { type DrawingPortParts, drawingPorts } from "./drawingPorts";
import { hoverText } from "./hoverText";
import { keypointPorts } from "./keypointToolPorts";

/** Hit distance of an outline, in screen pixels. */
const HIT_DISTANCE_PX = 5;

export interface ToolPortParts extends DrawingPortParts {
  isSnapping: () => boolean;
  shapes: Shapes;
  view: View;
  keypoints: Keypoints;
  locks: Locks;
  selecting: SelectionPortParts["selecting"];
  selected: SelectionPortParts["selected"];
  openSettings: (uuid: string) => void;
  /** Called with a short text that a tool shows for a moment. */
  onRemark: (text: string) => void;
  showsCreator: boolean;
  scissors: ScissorsPort;
  wand: WandPort;
  dextr: DextrPort;
  operations: ShapeOperations;
}

/** Returns the ports through which tools access the annotator's parts. */
export function toolPorts(parts: ToolPortParts): ToolPorts {
  const { selection, scissors, wand, dextr } = parts;
  const target: TargetPort = { target: () => selection.state.annotation };
  const own = new OwnShapes(parts.document);
  return {
    ...viewPort(parts),
    ...pickPort(parts),
    ...target,
    ...shapePort(parts, own),
    ...drawingPorts(parts),
    ...hintPorts(parts),
    ...messagePort(parts),
    ...snapPort(parts),
    split: (uuid, line) => void parts.operations.split(uuid, line),
    keypoints: keypointPorts(parts),
    selection: selectionPorts({
      ...parts,
      own,
      showMove: (by) => {
        parts.onDraft(by !== null);
        parts.display.showMove(by);
      },
      showArea: (area) => {
        const shown = Array.isArray(area) ? { box: null, loop: area } : { box: area };
        parts.stage()?.active.showGuides(area && { points: [], padded: null, isUnfinished: false, ...shown });
        parts.stage()?.requestFrame();
      },
    }),
    scissors,
    wand,
    dextr,
  };
}

function viewPort({ document, view }: ToolPortParts): ViewPort {
  const { width, height } = document.state.image;
  return {
    scale: () => 1 / view.state.zoom,
    onImage: ({ x, y }) => ({ x: Math.min(Math.max(x, 0), width), y: Math.min(Math.max(y, 0), height) }),
  };
}

function pickPort(parts: ToolPortParts): PickPort {
  const { document, selection, layers, shapes, view, stage, openSettings, showsCreator } = parts;
  return {
    at: (point) =>
      shapes.at(point, HIT_DISTANCE_PX / view.state.zoom, KEYPOINT_REACH_PX / view.state.zoom)?.uuid ?? null,
    allAt: (point) =>
      shapes
        .allAt(point, HIT_DISTANCE_PX / view.state.zoom, KEYPOINT_REACH_PX / view.state.zoom)
        .map(({ uuid }) => uuid),
    namedAt: (point) => {
      const uuid = stage()?.nameAt(view.toScreen(point)) ?? null;
      return uuid === null || parts.locks.isLocked(uuid) ? null : uuid;
    },
    select: (uuid) => {
      const annotation = document.annotation(uuid);
      parts.selecting.pick(uuid);
      if (annotation) layers.expand(annotation.category_id, true);
    },
    openSettings,
    hover: (uuid, at) => {
      selection.hover(uuid);
      const annotation = document.annotation(uuid);
      const text = annotation && at && hoverText(annotation, document, showsCreator);
      stage()?.labels.showNote(text, at);
      stage()?.requestFrame();
    },
  };
}

function shapePort(parts: ToolPortParts, own: OwnShapes): ShapePort {
  const { document, selection, layers, locks, outlines, commands, drawing, display, stage, onRemark } = parts;
  const shapeOf = (annotation: Annotation | null): SelectedShape | null => {
    if (!annotation || !layers.isVisible(annotation)) return null;
    if (locks.isLocked(annotation.uuid) || document.isReadOnly) return null;
    const isbbox = annotation.isbbox || isBoxOnly(annotation);
    const source = sourceOf(annotation);
    return { uuid: annotation.uuid, rings: outlines.of(annotation), isbbox, source, annotation };
  };
  return {
    selectedShape: () => shapeOf(document.annotation(selection.state.annotation)),
    preview: (rings) => {
      parts.onDraft(rings !== null);
      display.showPreview(rings);
    },
    showSpot: (spot) => {
      stage()?.active.showSpot(spot);
      stage()?.requestFrame();
    },
    mayReshape: ({ uuid, annotation }) => {
      if (own.hasReplaced(annotation)) onRemark(changedMeanwhileText());
      else if (drawing.hasPending(uuid))
        onRemark(t`The shape cannot be changed yet, because it is still being computed`);
      else return true;
      return false;
    },
    reshape: ({ uuid, isbbox, source, annotation }, rings, action) => {
      const now = document.annotation(uuid);
      if (now && sourceOf(now) === source) commands.reshape(uuid, rings, isbbox, action);
      else commands.reshape(uuid, rings, isbbox, action, annotation);
    },
  };
}

function hintPorts({ stage }: ToolPortParts): CursorPort & NotePort & CirclePort {
  return {
    showCursor: (cursor) => stage()?.showCursor(cursor),
    showNote: (text, at) => {
      stage()?.labels.showNote(text, at);
      stage()?.requestFrame();
    },
    showCircle: (circle) => stage()?.circle.show(circle),
  };
}

function messagePort({ notify, onRemark }: ToolPortParts): MessagePort {
  return {
    warn: (title, message) => notify("error", title, message),
    inform: (title, message) => notify("info", title, message),
    remark: onRemark,
  };
}
