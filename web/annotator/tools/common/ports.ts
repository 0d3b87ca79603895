import type { StoreApi } from "zustand/vanilla";
import type { Annotation } from "../../../../shared/entities/annotation";
import type { Ring, Rings } from "../../../../shared/entities/shape";
import type { OnRing } from "../../../../shared/geometry/operations/followRing";
import type { Place } from "../../../../shared/scissors/liveWire";
import type { DextrRequest, DextrResult, DextrStatus, RuntimeChoice } from "../../../io/dextr/dextr";
import type { Draft, Spot } from "../../canvas/active/activeLayer";
import type { Guides } from "../../canvas/active/guides";
import type { Piece } from "../../canvas/active/paintingLayer";
import type { Circle } from "../../canvas/circle";
import type { Point } from "../../canvas/view/view";
import type { PlacingPorts } from "./keypointPorts";
import type { SelectionPorts } from "./selectionPorts";

/**
 * All ports, as the editor implements them. A tool's constructor takes only the ports that the tool uses. Points are in
 * image pixels.
 */
export interface ToolPorts
  extends ViewPort,
    PickPort,
    TargetPort,
    ShapePort,
    DrawPort,
    PiecePort,
    ResultPort,
    SplitShapePort,
    SnapPort,
    CursorPort,
    NotePort,
    CirclePort,
    MessagePort {
  /** Intelligent scissors on the image. */
  scissors: ScissorsPort;
  /** The magic wand on the image, with the user's simplify tolerance. */
  wand: WandPort;
  /** DEXTR on the image. */
  dextr: DextrPort;
  /** The keypoints of the selected annotation. */
  keypoints: PlacingPorts;
  /** All selected annotations. */
  selection: SelectionPorts;
}

export interface ViewPort {
  /** Returns the number of image pixels per CSS pixel. */
  scale(): number;
  /** Returns the nearest point on the image. */
  onImage(point: Point): Point;
}

/** Finds annotations on the image and selects them. */
export interface PickPort {
  /** Returns the uuid of the annotation under a point, the selected one included. */
  at(point: Point): string | null;
  /** Returns the uuids of all annotations under a point, beginning with the one that `at` returns. */
  allAt(point: Point): string[];
  /** Returns the uuid of the annotation whose name or number is painted at a point, unless it is locked. */
  namedAt(point: Point): string | null;
  select(uuid: string | null): void;
  /** Opens the settings of an annotation. */
  openSettings(uuid: string): void;
  /** Marks the annotation under the pointer; with `at`, also shows its name there. */
  hover(uuid: string | null, at: Point | null): void;
}

export interface TargetPort {
  /** Returns the uuid of the selected annotation, visible or not. */
  target(): string | null;
}

/** The visible selected annotation. `rings` is the shape as displayed, in image pixels, whatever form is stored. */
export interface SelectedShape {
  uuid: string;
  rings: Rings;
  isbbox: boolean;
  /** Identity of the stored shape: a different object whenever the shape changes. */
  source: object;
  /** The annotation when the shape was read. */
  annotation: Annotation;
}

/** Reads and replaces the selected annotation's shape. */
export interface ShapePort {
  /** Returns the selected annotation's shape; null if none is selected, or if it is hidden, locked or read-only. */
  selectedShape(): SelectedShape | null;
  /** Shows the selected annotation with other rings during a gesture; null ends the preview. */
  preview(rings: Rings | null): void;
  /** Highlights a vertex or a point of the outline; null ends the highlight. */
  showSpot(spot: Spot | null): void;
  /**
   * Returns true if the shape may be replaced with one that is made from `seen`. Otherwise shows the user the reason: a
   * pending gesture will change the shape, or the user's own edit has changed it since.
   */
  mayReshape(seen: SelectedShape): boolean;
  /**
   * Gives an annotation new rings, as one undo step named `action`. If its shape is no longer the one in `seen`,
   * because another user has changed it, the edit becomes a conflict and the user chooses between the two shapes.
   */
  reshape(seen: SelectedShape, rings: Rings, action: string): void;
}

/**
 * Kinds of drawn shapes. A polygon is added to the selected annotation. A box, or a figure such as an ellipse, becomes
 * a new annotation if the selected one already has a shape.
 */
export type ShapeKind = "polygon" | "bbox" | "figure";

/** Draws new shapes. */
export interface DrawPort {
  /** Returns true if a shape can be drawn, or cut out; otherwise shows the user what is missing. */
  mayDraw(operation?: Piece["operation"] | null): boolean;
  /** Shows an unfinished shape; null removes it. */
  showDraft(draft: Draft | null): void;
  /** Keeps the points of an unfinished outline in case the page is reloaded; null discards the kept points. */
  keepSketch(sketch: SketchPoints | null): void;
  /** Discards the kept points at the user's wish; undo brings them back. */
  discardSketch(): void;
  /** Returns the stroke colour (`#rrggbb`) of an unfinished shape at a point, according to the tool's options. */
  strokeAt(point: Point, options: StrokeOptions): string;
  /**
   * Adds a shape to the selected annotation. Creates a new annotation if none is selected, or for a box or a figure if
   * the selected one already has a shape. With an operation, adds the shape to the selected annotation or cuts it out.
   */
  draw(rings: Rings, kind: ShapeKind, how?: { isFreehand?: boolean; operation?: Piece["operation"] | null }): void;
  /**
   * Like `draw`, for a free-hand polygon that is still being computed: it goes into the annotation that is selected now.
   * Shows `seen` until the polygon is in place; null changes nothing.
   */
  drawWhenReady(operation: Piece["operation"] | null, coming: Promise<Rings | null>, seen: Rings): void;
}

/** The points of an unfinished outline, and the tool that draws it. */
export interface SketchPoints {
  tool: "Polygon" | "Scissors" | "DEXTR" | "Line";
  /** In image pixels. */
  ring: Ring;
  /** Number of points before each gesture; undo removes a gesture. */
  starts: number[];
  /** True if the points belong to an annotation that does not exist yet, rather than to the selected one. */
  startsNew?: boolean;
}

export interface StrokeOptions {
  /** True to derive the stroke colour from the image below the pointer. */
  auto: boolean;
  /** True if automatic strokes are black or white, never the inverse colour. */
  blackOrWhite: boolean;
  strokeColor: string;
  /** Half the side length of the square that the automatic colour is derived from, in image pixels. */
  radius: number;
}

/** Adds pieces to the selected annotation and removes pieces from it. */
export interface PiecePort {
  /**
   * Shows an unfinished piece on the selected annotation; the piece's stroke may grow between calls. Null removes the
   * piece.
   */
  showPiece(piece: Piece | null): void;
  /**
   * Unites a piece with the selected annotation or subtracts it, as one undo step. Shows the piece until it is in the
   * document.
   */
  putPiece(piece: Piece): void;
  /**
   * Like `putPiece`, for a piece that is still being computed. Shows `seen` until the piece is in place; a null piece
   * changes nothing.
   */
  putPieceWhenReady(operation: Piece["operation"], coming: Promise<Piece | null>, seen: Piece | null): void;
}

export type ResultOperation = Piece["operation"] | "replace";

/** Puts computed outlines, which can be replaced, into the selected annotation. */
export interface ResultPort {
  /**
   * Starts a replaceable result, which is united with the selected annotation, cut out of it ("subtract"), or takes the
   * place of its shape ("replace"). Returns null if no annotation is selected.
   */
  beginResult(operation: ResultOperation): ReplaceableResult | null;
  /** Selects a new annotation of the selected one's category, unless the selected one is still empty. */
  beginNext(): void;
  /** Returns to the tool that was active before a refinement. Called when the refinement ends. */
  endRefinement(): void;
  /** Shows the points set for DEXTR and the boxes around them; null removes them. */
  showGuides(guides: Guides | null): void;
}

/**
 * A computed outline that is united with an annotation, cut out of it, or takes the place of its shape, and can be
 * replaced until the next edit. All replacements form one undo step, unless another step on the annotation, such as a
 * new name, comes in between. Outlines are polygons with holes in image pixels, unsimplified.
 */
export interface ReplaceableResult {
  /** True if an outline has been united with the annotation or cut out of it. */
  readonly isPlaced: boolean;
  /** True if a later edit has made the result final. */
  readonly isFinal: boolean;
  /** True if the annotation no longer exists. */
  readonly isGone: boolean;
  /**
   * Replaces the outline with one that is still being computed, showing `seen` until then. A null outline changes
   * nothing. Resolves when the outline is in place.
   */
  put(coming: Promise<Rings | null>, seen?: Rings | null): Promise<void>;
  /** Previews the annotation with another outline. */
  show(rings: Rings): void;
  /** Removes the outline as undo does, and drops outlines that are still being computed. */
  remove(): void;
}

/** A place on the border of another shape. */
export interface Snapped extends OnRing {
  /** The ring that the place lies on, in image pixels. */
  ring: Ring;
  isVertex: boolean;
}

export interface SnapPort {
  /**
   * Returns the place on the border of another visible shape that a point snaps to; null if none is near or snapping is
   * off.
   */
  snap(point: Point): Snapped | null;
}

export interface SplitShapePort {
  /** Splits an annotation along a line x, y, x, y, …, as one undo step. Each part becomes an annotation of its own. */
  split(uuid: string, line: Ring): void;
}

export interface CursorPort {
  /** Shows a CSS cursor over the canvas; null restores the tool's default. */
  showCursor(cursor: string | null): void;
}

export interface NotePort {
  /** Shows a text beside a point; null removes it. */
  showNote(text: string | null, at: Point | null): void;
}

export interface CirclePort {
  /** Shows a circle around the pointer; null removes it. */
  showCircle(circle: Circle | null): void;
}

export interface MessagePort {
  /** Shows an error. The title is short; the message says what happened. */
  warn(title: string, message: string): void;
  /** Shows a message that is not an error. */
  inform(title: string, message: string): void;
  /** Shows a short text for a moment, such as the reason why a key had no effect. */
  remark(text: string): void;
}

/** See `Scissors` in web/io. */
export interface ScissorsPort {
  prepare(): void;
  follow(from: Place | null, to: Place, reach: number, detail: number): Promise<Ring>;
  /** Returns the line simplified with the user's tolerance. */
  simplified(line: Ring): Ring;
}

/** See `Wand` in web/io. */
export interface WandPort {
  prepare(): void;
  grow(at: Point, options: { threshold: number; blur: number }): Promise<Rings | null>;
  end(): void;
}

/** See `Dextr` in web/io. */
export interface DextrPort {
  readonly status: StoreApi<DextrStatus>;
  choose(choice: RuntimeChoice): void;
  prepare(): void;
  predict(request: DextrRequest, signal: AbortSignal): Promise<DextrResult>;
}
