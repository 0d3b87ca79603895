import type { ComponentType } from "react";
import type { StoreApi } from "zustand/vanilla";
import type { Rings } from "../../../../shared/entities/shape";
import type { DextrRequest, DextrResult, DextrStatus, RuntimeChoice } from "../../../io/dextr/dextr";
import type { Circle } from "../../canvas/circle";
import type { Draft, Spot } from "../../canvas/hand/active";
import type { Guides } from "../../canvas/hand/guides";
import type { Piece } from "../../canvas/hand/painting";
import type { PointerInput, PointerTarget } from "../../canvas/view/pointer";
import type { Point } from "../../canvas/view/view";
import type { PlacingPorts } from "./keypointPorts";

/** The names that preferences and the last used tool are stored under. */
export type ToolName = "Select" | "BBox" | "Polygon" | "Magic Wand" | "Brush" | "Eraser" | "Keypoints" | "DEXTR";

/** The annotation that a tool works on. Rings in image pixels; `rings` is what is seen, whatever form is stored. */
export interface InHand {
  uuid: string;
  rings: Rings;
  isbbox: boolean;
  /** Another one whenever the stored shape is another. */
  source: object;
}

/** All that a tool may touch. Points are image pixels. */
export interface ToolPorts {
  /** Image pixels that one CSS pixel of the screen covers. */
  scale(): number;
  inHand(): InHand | null;
  /** The annotation under a point, the one in hand included. */
  at(point: Point): string | null;
  select(uuid: string | null): void;
  /** Opens the settings of an annotation. */
  openSettings(uuid: string): void;
  /** Marks an annotation as being under the pointer and says what it is beside it. */
  hover(uuid: string | null, at: Point | null): void;
  /** Shows the shape in hand with other rings while a gesture lasts; null ends that. */
  preview(rings: Rings | null): void;
  showDraft(draft: Draft | null): void;
  showSpot(spot: Spot | null): void;
  /** The CSS cursor for what a press would do here; null is the tool's own. */
  showCursor(cursor: string | null): void;
  /** A text beside a point; null takes it away. */
  showNote(text: string | null, at: Point | null): void;
  /** Gives the annotation in hand a new shape: one undo step called `action`. */
  reshape(uuid: string, rings: Rings, isbbox: boolean, action: string): void;
  /** Adds to the annotation in hand, or makes a new annotation where there is none or a box already has its shape. */
  draw(rings: Rings, kind: "polygon" | "bbox", how?: { isFreehand: boolean }): void;
  /** The annotation in hand, seen or not. */
  target(): string | null;
  /** A circle around the pointer; null takes it away. */
  showCircle(circle: Circle | null): void;
  /** Shows the annotation in hand with an unfinished piece, whose stroke may grow between calls; null ends that. */
  showPiece(piece: Piece | null): void;
  /**
   * Unites a piece with the annotation in hand or takes it from it: one undo step. It is shown until it is in place.
   */
  putPiece(piece: Piece): void;
  /**
   * The same with a piece that is still being computed, null in the end if there is none; meanwhile `seen` is shown.
   */
  putComing(operation: Piece["operation"], coming: Promise<Piece | null>, seen: Piece | null): void;
  /** The magic wand over the image, with the person's tolerance. */
  wand: WandPort;
  /** DEXTR over the image. */
  dextr: DextrPort;
  /** Shows the points that are being set for DEXTR and the boxes around them; null takes them away. */
  showGuides(guides: Guides | null): void;
  /** Begins a result in the annotation in hand; null where there is none. */
  holdResult(): ReplaceableResult | null;
  /** Something has gone wrong: a short title, and what happened. */
  warn(title: string, message: string): void;
  /** The same of something that is no fault. */
  inform(title: string, message: string): void;
  /** The keypoints of the annotation in hand. */
  keypoints: PlacingPorts;
  /** The nearest point on the image. */
  onImage(point: Point): Point;
  /** Returns true if a shape can be drawn; otherwise the user is told what is missing. */
  mayDraw(): boolean;
  /** The stroke of a draft at a point, as the tool's options say. `#rrggbb`. */
  strokeAt(point: Point, options: StrokeOptions): string;
}

/** See `Wand` of web/io. */
export interface WandPort {
  prepare(): void;
  grow(at: Point, options: { threshold: number; blur: number }): Promise<Rings | null>;
  end(): void;
}

/** See `Dextr` of web/io. */
export interface DextrPort {
  readonly status: StoreApi<DextrStatus>;
  choose(choice: RuntimeChoice): void;
  prepare(): void;
  predict(request: DextrRequest, signal: AbortSignal): Promise<DextrResult>;
}

/**
 * A computed outline that is united with an annotation, and may be replaced by another as long as nothing else is done:
 * all of it is one undo step. Polygons with holes in image pixels, unsimplified.
 */
export interface ReplaceableResult {
  /** True if it is in place. */
  readonly isThere: boolean;
  /** True if something else was done after it, so that it stays as it is. */
  readonly isOver: boolean;
  /** True if its annotation no longer exists. */
  readonly isGone: boolean;
  /**
   * Puts an outline that is still being computed in place of the one before; null changes nothing. Meanwhile `seen` is
   * shown.
   */
  put(coming: Promise<Rings | null>, seen?: Rings | null): Promise<void>;
  /** Shows how it would be with another outline. */
  show(rings: Rings): void;
  /** As undo does. Nothing of it comes later. */
  takeBack(): void;
}

export interface StrokeOptions {
  /** Chosen from the image below the pointer. */
  auto: boolean;
  /** Automatic strokes are black or white, never the inverse colour. */
  blackOrWhite: boolean;
  strokeColor: string;
  /** Half side of the square that is looked at, in image pixels. */
  radius: number;
}

/** Arguments for creating a tool. */
export interface ToolContext<Options> {
  ports: ToolPorts;
  options: () => Options;
}

/** A tool at work: a small state machine that gets the pointer and a few commands. */
export interface ToolMachine extends PointerTarget {
  /** Name of the present state, as "polygon.drawing". */
  readonly state: string;
  /** The tool is put down: what is unfinished is given up. */
  exit(): void;
  /** Escape. Returns true if there was something to give up. */
  cancel(): boolean;
  /** The document, the selection or the view has changed under the tool. */
  refresh(): void;
  /** Finishes what is drawn. */
  complete?(): void;
  /** The person turns to something else: what has a result keeps it. */
  conclude?(): void;
  /** Takes one point back. Returns true if there was one. */
  takeBack?(): boolean;
  /** Takes the last gesture of what is being drawn back. Returns true if there was one. */
  undo?(): boolean;
  redo?(): boolean;
}

/** A line of the list of tools: toolbar, keys, preferences and help read it. */
export interface ToolDefinition<Options = object, M extends ToolMachine = ToolMachine> {
  name: ToolName;
  /** Key of its preferences on the server. */
  preference: string;
  key: string;
  icon: ComponentType<{ size?: number }>;
  /** CSS cursor over the canvas. */
  cursor: string;
  /** True if it changes the shape in hand by its vertices, so that they are shown. */
  showsVertices: boolean;
  /** True if it works on an annotation: chosen without one in hand, it creates one. */
  needsAnnotation: boolean;
  /** A line on how to use it. */
  hint: string;
  /** The kind of shape it draws, or null. */
  draws: "polygon" | "bbox" | null;
  /** True if it removes from the shape instead. */
  removes?: boolean;
  /** Options with which it is larger or smaller by so many image pixels, where it has a size. */
  resize?(options: Options, by: number): Partial<Options>;
  /** True if it is remembered as the last used tool. */
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

/** One state of a tool: what it does with each event. Events that it does not name mean nothing to it. */
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
  /** Goes back to what was before the state was entered. */
  abort(): void {}
  refresh(): void {}
}

/** Holds the present state of a tool and passes events to it. */
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
