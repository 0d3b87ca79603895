import { blackOrWhiteOn, inverseOf } from "../../../shared/color/contrast";
import type { Annotation } from "../../../shared/entities/annotation";
import type { Piece } from "../canvas/active/paintingLayer";
import type { Stage } from "../canvas/stage";
import type { Commands } from "../document/commands";
import type { AnnotatorDocument } from "../document/document";
import type { History } from "../document/history";
import type { Layers } from "../document/layers";
import type { Outlines } from "../document/outlines";
import type { Notify } from "../document/ports";
import type { Drawing } from "../drawing/drawing";
import type { KeptSketch } from "../drawing/keptSketch";
import { ReplaceableUnion } from "../drawing/replaceableUnion";
import type { Selection } from "../state/selection";
import type { DrawPort, PiecePort, ResultPort } from "../tools/common/ports";
import type { Display } from "./display";

export interface DrawingPortParts {
  document: AnnotatorDocument;
  history: History;
  selection: Selection;
  layers: Layers;
  outlines: Outlines;
  commands: Commands;
  drawing: Drawing;
  sketch: KeptSketch;
  display: Display;
  stage: () => Stage | null;
  /** Called when a tool starts an unfinished shape, and when it no longer has one. */
  onDraft: (isDrawing: boolean) => void;
  /** Called when the next shape belongs to a new annotation of this category. */
  onNext: (categoryId: number) => void;
  /** Called when an outline is added to a box. */
  onJoinedBox: () => void;
  /** Called when an unfinished outline is discarded that undo can bring back. */
  onDiscarded: () => void;
  /** Called when a shape is no longer being refined. */
  onRefined: () => void;
  /** Called when drawing is impossible because there is no category. */
  onNoCategory: () => void;
  /** Called when an area cannot be cut out because the selected annotation has no shape. */
  onNothingToCut: () => void;
  notify: Notify;
}

/** Returns the tools' access to drawing: new shapes, pieces of the selected annotation, and computed outlines. */
export function drawingPorts(parts: DrawingPortParts): DrawPort & PiecePort & ResultPort {
  const pending = new PendingPieces(parts);
  return { ...drawPort(parts, pending), ...piecePort(parts, pending), ...resultPort(parts, pending) };
}

function drawPort(parts: DrawingPortParts, pending: PendingPieces): DrawPort {
  const { document, selection, layers, commands, drawing, sketch, stage } = parts;
  const selected = () => document.annotation(selection.state.annotation);
  /** Notifies the user of an outline that is added to a box. */
  const reportJoined = (annotation: Annotation | null, operation: Piece["operation"] | null) => {
    if (annotation?.isbbox && !operation && !drawing.isEmpty(annotation)) parts.onJoinedBox();
  };
  return {
    mayDraw: (operation) => {
      const annotation = selected();
      if (operation === "subtract" && !drawing.isBusy && (!annotation || drawing.isEmpty(annotation))) {
        parts.onNothingToCut();
        return false;
      }
      const may = selection.state.annotation !== null || commands.categoryForNew() !== null;
      if (!may) parts.onNoCategory();
      return may;
    },
    showDraft: (draft) => {
      parts.onDraft(draft !== null);
      stage()?.active.showDraft(draft);
      stage()?.requestFrame();
    },
    keepSketch: (points) => sketch.keep(points),
    discardSketch: () => {
      if (sketch.discard()) parts.onDiscarded();
    },
    strokeAt: (point, { auto, blackOrWhite, strokeColor, radius }) => {
      const image = stage()?.image;
      if (!auto || !image) return strokeColor;
      const color = image.colorAt(point, radius);
      return blackOrWhite ? blackOrWhiteOn(color) : inverseOf(color);
    },
    draw: (rings, kind, how) => {
      const annotation = selected();
      const isFreehand = how?.isFreehand ?? false;
      const operation = how?.operation ?? null;
      const isShown = annotation && (drawing.isBusy || operation !== null);
      const shown = isShown ? pending.show(annotation, { operation: operation ?? "unite", rings }) : null;
      const usual = () =>
        kind === "polygon" ? drawing.polygon(rings, isFreehand) : drawing.whole(rings, kind === "bbox");
      const done = operation ? drawing.ringsPiece(operation, rings, kind, isFreehand) : usual();
      void done.finally(shown?.drop);
      if (kind === "polygon") reportJoined(annotation, operation);
      const drawn = selected();
      if (!drawn) return;
      layers.reveal(drawn);
      layers.expand(drawn.category_id, true);
    },
    drawWhenReady: (operation, computed, seen) => {
      const annotation = selected();
      if (!annotation) return;
      const how = operation ?? "unite";
      const { coming, drop } = pending.showUntil(
        annotation,
        computed.then((rings) => rings && { operation: how, rings }),
        { operation: how, rings: seen },
      );
      const rings = coming.then((piece) => piece?.rings ?? null);
      void drawing.polygonWhenReady(how, rings, true).finally(drop);
      reportJoined(annotation, operation);
    },
  };
}

function piecePort(parts: DrawingPortParts, pending: PendingPieces): PiecePort {
  const { document, selection, layers, drawing, stage } = parts;
  const selected = () => document.annotation(selection.state.annotation);
  const putPieceWhenReady: PiecePort["putPieceWhenReady"] = (operation, computed, seen) => {
    parts.onDraft(false);
    const annotation = selected();
    if (!annotation) return;
    const { coming, drop } = pending.showUntil(annotation, computed, seen);
    void drawing.piece(operation, coming).then(drop);
  };
  return {
    showPiece: (piece) => {
      parts.onDraft(piece !== null);
      const annotation = selected();
      if (annotation && piece) layers.reveal(annotation);
      stage()?.painting.show(piece, annotation ? layers.colorOf(annotation) : "");
      stage()?.requestFrame();
    },
    putPiece: (piece) => putPieceWhenReady(piece.operation, Promise.resolve(piece), piece),
    putPieceWhenReady,
  };
}

function resultPort(parts: DrawingPortParts, pending: PendingPieces): ResultPort {
  const { document, selection, drawing, display, stage } = parts;
  return {
    beginResult: (operation) => {
      const annotation = document.annotation(selection.state.annotation);
      if (!annotation) return null;
      return new ReplaceableUnion(annotation.uuid, operation, {
        ...parts,
        preview: (rings) => display.showPreview(rings),
        showPending: (seen) =>
          pending.show(annotation, seen && operation !== "replace" ? { operation, rings: seen } : null),
      });
    },
    beginNext: () => {
      const annotation = document.annotation(selection.state.annotation);
      if (!annotation || (drawing.isEmpty(annotation) && !drawing.hasPending(annotation.uuid))) return;
      parts.onNext(annotation.category_id);
    },
    endRefinement: () => parts.onRefined(),
    showGuides: (guides) => {
      parts.onDraft(guides?.isUnfinished ?? false);
      stage()?.active.showGuides(guides);
      stage()?.requestFrame();
    },
  };
}

/** Shows pieces that are not in their annotation yet. */
class PendingPieces {
  constructor(private readonly parts: Pick<DrawingPortParts, "layers" | "stage">) {}

  /** Shows a piece, which can be replaced by another one until it is dropped. */
  show(annotation: Annotation, seen: Piece | null): { replace: (piece: Piece | null) => void; drop: () => void } {
    const { layers, stage } = this.parts;
    layers.reveal(annotation);
    layers.expand(annotation.category_id, true);
    const shown = stage()?.painting.showPending(seen, layers.colorOf(annotation));
    stage()?.requestFrame();
    const replace = (piece: Piece | null) => {
      shown?.replace(piece);
      stage()?.requestFrame();
    };
    return { replace, drop: () => replace(null) };
  }

  /** Shows `seen`, then the computed piece, until it is dropped. */
  showUntil<P extends Piece>(annotation: Annotation, computed: Promise<P | null>, seen: Piece | null) {
    const { replace, drop } = this.show(annotation, seen);
    const coming = computed.then((ready) => {
      replace(ready);
      return ready;
    });
    return { coming, drop };
  }
}
