import { blackOrWhiteOn, inverseOf } from "../../../shared/color/contrast";
import type { Annotation } from "../../../shared/entities/annotation";
import type { Piece } from "../canvas/active/paintingLayer";
import { KEYPOINT_REACH_PX } from "../canvas/shapes/paint";
import type { Shapes } from "../canvas/shapes/shapes";
import type { Stage } from "../canvas/stage";
import type { View } from "../canvas/view/view";
import type { Commands } from "../document/commands";
import type { AnnotatorDocument } from "../document/document";
import type { History } from "../document/history";
import type { Layers } from "../document/layers";
import { isBoxOnly, type Outlines } from "../document/outlines";
import type { Notify } from "../document/ports";
import type { Drawing } from "../drawing/drawing";
import { ReplaceableUnion } from "../drawing/replaceableUnion";
import type { Keypoints } from "../keypoints/Keypoints";
import type { Selection } from "../state/selection";
import type { DextrPort, SelectedShape, ToolPorts, WandPort } from "../tools/common/tool";
import type { Display } from "./display";
import { hoverText } from "./hoverText";
import { keypointPorts } from "./keypointToolPorts";

/** Hit distance of an outline, in screen pixels. */
const HIT_DISTANCE_PX = 5;

export interface ToolPortParts {
  document: AnnotatorDocument;
  history: History;
  selection: Selection;
  layers: Layers;
  outlines: Outlines;
  shapes: Shapes;
  view: View;
  commands: Commands;
  drawing: Drawing;
  keypoints: Keypoints;
  display: Display;
  stage: () => Stage | null;
  /** Called when a tool starts an unfinished shape, and when it no longer has one. */
  onDraft: (isDrawing: boolean) => void;
  openSettings: (uuid: string) => void;
  /** Called when drawing is impossible because there is no category. */
  onNoCategory: () => void;
  showsCreator: boolean;
  wand: WandPort;
  dextr: DextrPort;
  notify: Notify;
}

/** Returns the interface through which tools access the annotator's parts. */
export function toolPorts(parts: ToolPortParts): ToolPorts {
  const { document, selection, layers, outlines, shapes, view, commands, drawing, display, stage } = parts;
  const { width, height } = document.state.image;
  const selected = () => document.annotation(selection.state.annotation);
  const showPending = (annotation: Annotation, seen: Piece | null) => {
    layers.reveal(annotation);
    layers.expand(annotation.category_id, true);
    const shown = stage()?.painting.showPending(seen, layers.colorOf(annotation));
    stage()?.requestFrame();
    const replace = (piece: Piece | null) => {
      shown?.replace(piece);
      stage()?.requestFrame();
    };
    return { replace, drop: () => replace(null) };
  };
  const putPieceWhenReady: ToolPorts["putPieceWhenReady"] = (operation, computed, seen) => {
    parts.onDraft(false);
    const annotation = selected();
    if (!annotation) return;
    const shown = showPending(annotation, seen);
    const piece = computed.then((ready) => {
      shown.replace(ready);
      return ready;
    });
    void drawing.piece(operation, piece).then(shown.drop);
  };
  return {
    scale: () => 1 / view.state.zoom,
    selectedShape: () => shapeOf(selected(), outlines, layers),
    at: (point) =>
      shapes.at(point, HIT_DISTANCE_PX / view.state.zoom, KEYPOINT_REACH_PX / view.state.zoom)?.uuid ?? null,
    select: (uuid) => {
      const annotation = document.annotation(uuid);
      selection.selectAnnotation(annotation);
      if (annotation) layers.expand(annotation.category_id, true);
    },
    openSettings: parts.openSettings,
    hover: (uuid, at) => {
      selection.hover(uuid);
      const annotation = document.annotation(uuid);
      const text = annotation && at && hoverText(annotation, document, parts.showsCreator);
      stage()?.labels.showNote(text, at);
      stage()?.requestFrame();
    },
    preview: (rings) => display.showPreview(rings),
    showDraft: (draft) => {
      parts.onDraft(draft !== null);
      stage()?.active.showDraft(draft);
      stage()?.requestFrame();
    },
    showSpot: (spot) => {
      stage()?.active.showSpot(spot);
      stage()?.requestFrame();
    },
    showCursor: (cursor) => stage()?.showCursor(cursor),
    showNote: (text, at) => {
      stage()?.labels.showNote(text, at);
      stage()?.requestFrame();
    },
    reshape: (uuid, rings, isbbox, action) => commands.reshape(uuid, rings, isbbox, action),
    draw: (rings, kind, how) => {
      const annotation = selected();
      const shown = annotation && drawing.isBusy ? showPending(annotation, { operation: "unite", rings }) : null;
      const done = kind === "bbox" ? drawing.box(rings) : drawing.polygon(rings, how?.isFreehand ?? false);
      void done.finally(shown?.drop);
      const drawn = document.annotation(selection.state.annotation);
      if (!drawn) return;
      layers.reveal(drawn);
      layers.expand(drawn.category_id, true);
    },
    target: () => selection.state.annotation,
    showCircle: (circle) => stage()?.circle.show(circle),
    showPiece: (piece) => {
      parts.onDraft(piece !== null);
      const annotation = selected();
      if (annotation && piece) layers.reveal(annotation);
      stage()?.painting.show(piece, annotation ? layers.colorOf(annotation) : "");
      stage()?.requestFrame();
    },
    putPiece: (piece) => putPieceWhenReady(piece.operation, Promise.resolve(piece), piece),
    putPieceWhenReady,
    wand: parts.wand,
    dextr: parts.dextr,
    showGuides: (guides) => {
      parts.onDraft(guides?.isUnfinished ?? false);
      stage()?.active.showGuides(guides);
      stage()?.requestFrame();
    },
    beginResult: () => {
      const annotation = selected();
      if (!annotation) return null;
      return new ReplaceableUnion(annotation.uuid, {
        ...parts,
        preview: (rings) => display.showPreview(rings),
        showPending: (seen) => showPending(annotation, seen && { operation: "unite", rings: seen }),
      });
    },
    warn: (title, message) => parts.notify("error", title, message),
    inform: (title, message) => parts.notify("info", title, message),
    keypoints: keypointPorts(parts),
    onImage: ({ x, y }) => ({ x: Math.min(Math.max(x, 0), width), y: Math.min(Math.max(y, 0), height) }),
    mayDraw: () => {
      const may = selection.state.annotation !== null || commands.categoryForNew() !== null;
      if (!may) parts.onNoCategory();
      return may;
    },
    strokeAt: (point, { auto, blackOrWhite, strokeColor, radius }) => {
      const image = stage()?.image;
      if (!auto || !image) return strokeColor;
      const color = image.colorAt(point, radius);
      return blackOrWhite ? blackOrWhiteOn(color) : inverseOf(color);
    },
  };
}

function shapeOf(annotation: Annotation | null, outlines: Outlines, layers: Layers): SelectedShape | null {
  if (!annotation || !layers.isVisible(annotation)) return null;
  const isbbox = annotation.isbbox || isBoxOnly(annotation);
  const source = annotation.rings ?? annotation.rle ?? annotation.bbox;
  return { uuid: annotation.uuid, rings: outlines.of(annotation), isbbox, source };
}
