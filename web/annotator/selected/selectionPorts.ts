import { t } from "@lingui/core/macro";
import { KEYPOINT_REACH_PX } from "../canvas/shapes/paint";
import type { Shapes } from "../canvas/shapes/shapes";
import type { Point, View } from "../canvas/view/view";
import type { Commands } from "../document/commands";
import type { AnnotatorDocument } from "../document/document";
import { changedMeanwhileText, type OwnShapes } from "../drawing/ownShapes";
import type { Selection } from "../state/selection";
import type { Area, Move, SelectionPorts } from "../tools/common/selectionPorts";
import type { SelectedCommands } from "./SelectedCommands";
import type { Selecting } from "./Selecting";

export interface SelectionPortParts {
  document: AnnotatorDocument;
  selection: Selection;
  selecting: Selecting;
  selected: SelectedCommands;
  commands: Commands;
  own: OwnShapes;
  shapes: Shapes;
  view: View;
  /** Shows the selected annotations moved by a distance in image pixels; null shows them in their places. */
  showMove: (by: Point | null) => void;
  /** Shows a box or loop that is being drawn; null removes it. */
  showArea: (area: Area | null) => void;
  /** Called with a short text that is shown for a moment. */
  onRemark: (text: string) => void;
}

const ORIGIN: Point = { x: 0, y: 0 };

/** Returns the ports through which the select tool works on several annotations. */
export function selectionPorts(parts: SelectionPortParts): SelectionPorts {
  const { document, selection, selecting, shapes, view, showArea } = parts;
  return {
    isMany: () => selection.isMany,
    isSelectedAt: (point) => {
      const dot = KEYPOINT_REACH_PX / view.state.zoom;
      return shapes.at(point, 0, dot, selection.state.all) !== null;
    },
    toggle: (uuid) => selecting.toggle(uuid),
    selectIn: (area, adds) =>
      selecting.select(Array.isArray(area) ? shapes.insideLoop(area) : shapes.inside(area), adds),
    showMarquee: showArea,
    beginMove: () => beginMove(parts),
    isOnImage: ({ x, y }) => {
      const { width, height } = document.state.image;
      return x >= 0 && y >= 0 && x <= width && y <= height;
    },
  };
}

function beginMove(parts: SelectionPortParts): Move | null {
  const { document, selection, selected, commands, own, showMove, onRemark } = parts;
  const moved = selected.beginDrag();
  const { uuids } = moved;
  if (uuids.length === 0) return null;
  let by = ORIGIN;
  return {
    show: (wanted) => {
      by = moved.limited(wanted);
      showMove(by);
    },
    commit: () =>
      commands.applyAll(
        moved.edits(by, (uuid) => document.annotation(uuid)),
        t`Move`,
      ),
    end: () => showMove(null),
    isGone: () => {
      const isReplaced = moved.seen.some((annotation) => own.hasReplaced(annotation));
      if (isReplaced) onRemark(changedMeanwhileText());
      return isReplaced || !uuids.some((uuid) => selection.state.all.has(uuid));
    },
  };
}
