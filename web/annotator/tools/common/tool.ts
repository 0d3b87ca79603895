import type { ComponentType } from "react";
import type { StoreApi } from "zustand/vanilla";
import type { Rings } from "../../../../shared/entities/shape";
import type { DextrRequest, DextrResult, DextrStatus, RuntimeChoice } from "../../../io/dextr/dextr";
import type { Draft, Spot } from "../../canvas/active/activeLayer";
import type { Guides } from "../../canvas/active/guides";
import type { Piece } from "../../canvas/active/paintingLayer";
import type { Circle } from "../../canvas/circle";
import type { PointerInput, PointerTarget } from "../../canvas/view/pointer";
import type { Point } from "../../canvas/view/view";
import type { PlacingPorts } from "./keypointPorts";

/** Tool names, as stored with preferences and the last used tool. */
export type ToolName = "Select" | "BBox" | "Polygon" | "Magic Wand" | "Brush" | "Eraser" | "Keypoints" | "DEXTR";

/** The visible selected annotation. `rings` is the shape as displayed, in image pixels, whatever form is stored. */
export interface SelectedShape {
  uuid: string;
  rings: Rings;
  isbbox: boolean;
  /** Identity of the stored shape: a different object whenever the shape changes. */
  source: object;
}

/** Everything a tool may access. Points are in image pixels. */
export interface ToolPorts {
  /** Returns the number of image pixels per CSS pixel. */
  scale(): number;
  /** Returns the selected annotation's shape; null if none is selected or it is hidden. */
  selectedShape(): SelectedShape | null;
  /** Returns the uuid of the annotation under a point, the selected one included. */
  at(point: Point): string | null;
  select(uuid: string | null): void;
  /** Opens the settings of an annotation. */
  openSettings(uuid: string): void;
  /** Marks the annotation under the pointer; with `at`, also shows its name there. */
  hover(uuid: string | null, at: Point | null): void;
  /** Shows the selected annotation with other rings during a gesture; null ends the preview. */
  preview(rings: Rings | null): void;
  showDraft(draft: Draft | null): void;
  showSpot(spot: Spot | null): void;
  /** Shows the CSS cursor for what a press would do here; null restores the tool's default. */
  showCursor(cursor: string | null): void;
  /** Shows a text beside a point; null removes it. */
  showNote(text: string | null, at: Point | null): void;
  /** Gives an annotation a new shape, as one undo step named `action`. */
  reshape(uuid: string, rings: Rings, isbbox: boolean, action: string): void;
  /**
   * Adds a shape to the selected annotation. Creates a new annotation if none is selected, or for a box if the selected
   * one already has a shape.
   */
  draw(rings: Rings, kind: "polygon" | "bbox", how?: { isFreehand: boolean }): void;
  /** Returns the uuid of the selected annotation, visible or not. */
  target(): string | null;
  /** Shows a circle around the pointer; null removes it. */
  showCircle(circle: Circle | null): void;
  /** Shows an unfinished piece with the selected annotation; its stroke may grow between calls. Null removes it. */
  showPiece(piece: Piece | null): void;
  /**
   * Unites a piece with the selected annotation or subtracts it, as one undo step. Shows the piece until that is done.
   */
  putPiece(piece: Piece): void;
  /**
   * Like `putPiece`, for a piece that is still being computed. Shows `seen` until then; a null result changes nothing.
   */
  putPieceWhenReady(operation: Piece["operation"], coming: Promise<Piece | null>, seen: Piece | null): void;
  /** The magic wand on the image, with the user's simplify tolerance. */
  wand: WandPort;
  /** DEXTR on the image. */
  dextr: DextrPort;
  /** Shows the points set for DEXTR and the boxes around them; null removes them. */
  showGuides(guides: Guides | null): void;
  /** Starts a replaceable result in the selected annotation; null if none is selected. */
  beginResult(): ReplaceableResult | null;
  /** Shows an error: a short title, and what happened. */
  warn(title: string, message: string): void;
  /** Shows a message that is not an error. */
  inform(title: string, message: string): void;
  /** The keypoints of the selected annotation. */
  keypoints: PlacingPorts;
  /** Returns the nearest point on the image. */
  onImage(point: Point): Point;
  /** Returns true if a shape can be drawn; otherwise shows the user what is missing. */
  mayDraw(): boolean;
  /** Returns the stroke colour (`#rrggbb`) of an unfinished shape at a point, according to the tool's options. */
  strokeAt(point: Point, options: StrokeOptions): string;
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

/**
 * A computed outline that is united with an annotation and can be replaced by another one until the next edit. All
 * replacements form one undo step. Outlines are polygons with holes in image pixels, unsimplified.
 */
export interface ReplaceableResult {
  /** True if an outline has been united with the annotation. */
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
  /** Removes the outline as undo does, and drops those still being computed. */
  remove(): void;
}

export interface StrokeOptions {
  /** Derives the stroke colour from the image below the pointer. */
  auto: boolean;
  /** Automatic strokes are black or white, never the inverse colour. */
  blackOrWhite: boolean;
  strokeColor: string;
  /** Half side of the square of pixels that the automatic colour is derived from, in image pixels. */
  radius: number;
}

/** Arguments for creating a tool. */
export interface ToolContext<Options> {
  ports: ToolPorts;
  options: () => Options;
}

/** A tool in use: a small state machine that receives pointer events and a few commands. */
export interface ToolMachine extends PointerTarget {
  /** Name of the current state, such as "polygon.drawing". */
  readonly state: string;
  /** Called when the tool is left: discards unfinished work. */
  exit(): void;
  /** Handles Escape. Returns true if there was something to discard. */
  cancel(): boolean;
  /** Called after the document, the selection or the view has changed. */
  refresh(): void;
  /** Finishes the shape being drawn. */
  complete?(): void;
  /** Called when the user turns to something else: keeps a result, if there is one. */
  conclude?(): void;
  /** Removes the last point. Returns true if there was one. */
  removeLastPoint?(): boolean;
  /** Undoes the last gesture of the unfinished shape. Returns true if there was one. */
  undo?(): boolean;
  redo?(): boolean;
}

/** An entry in the list of tools, which toolbar, keys, preferences and help read. */
export interface ToolDefinition<Options = object, M extends ToolMachine = ToolMachine> {
  name: ToolName;
  /** Key of the tool's preferences on the server. */
  preference: string;
  key: string;
  icon: ComponentType<{ size?: number }>;
  /** CSS cursor over the canvas. */
  cursor: string;
  /** True if the tool edits vertices of the selected shape, so that they are shown. */
  showsVertices: boolean;
  /** True if the tool needs a selected annotation; choosing it without one creates one. */
  needsAnnotation: boolean;
  /** One line on how to use the tool. */
  hint: string;
  /** Kind of shape that the tool draws, or null. */
  draws: "polygon" | "bbox" | null;
  /** True if the tool removes from the shape instead of adding to it. */
  removes?: boolean;
  /**
   * Returns options that make the tool larger by `by` image pixels, or smaller if negative. Only for tools with a size.
   */
  resize?(options: Options, by: number): Partial<Options>;
  /** True if the tool is remembered as the last used one. */
  remembered: boolean;
  defaults: Options;
  /** Returns the valid part of stored preferences; everything else falls back to the defaults. */
  parse(stored: unknown): Options;
  create(context: ToolContext<Options>): M;
  Panel: ComponentType<ToolPanelProps<Options, M>>;
}

export interface ToolPanelProps<Options, M extends ToolMachine = ToolMachine> {
  options: Options;
  onChange: (change: Partial<Options>) => void;
  machine: M;
}

/** One state of a tool, with a method for each event. Events without an override are ignored. */
export abstract class ToolState {
  abstract readonly name: string;
  enter(): void {}
  exit(): void {}
  down(_input: PointerInput): boolean {
    return true;
  }
  click(_input: PointerInput): void {}
  move(_input: PointerInput): void {}
  up(_input: PointerInput): void {}
  leave(): void {}
  /** Handles an interrupted gesture: goes back to the situation before the state was entered. */
  abort(): void {}
  refresh(): void {}
}

/** Holds the current state of a tool. */
export class StateMachine<State extends ToolState = ToolState> {
  private current: State;

  constructor(
    private readonly tool: string,
    first: State,
  ) {
    this.current = first;
    first.enter();
  }

  get state(): string {
    return `${this.tool}.${this.current.name}`;
  }

  get now(): State {
    return this.current;
  }

  become(next: State): void {
    this.current.exit();
    this.current = next;
    next.enter();
  }
}
