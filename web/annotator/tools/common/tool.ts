import type { ComponentType } from "react";
import type { StoreApi } from "zustand/vanilla";
import type { Prompt } from "../../../../model/dextr/base/request";
import type { PointerInput, PointerTarget } from "../../canvas/view/pointer";
import type { ShapeKind, SketchPoints, ToolPorts } from "./ports";

/** Tool names, as stored with preferences and the last used tool. */
export type ToolName =
  | "Select"
  | "BBox"
  | "Polygon"
  | "Magic Wand"
  | "Brush"
  | "Eraser"
  | "Keypoints"
  | "DEXTR"
  | "Scissors"
  | "Ellipse"
  | "Rotated Box"
  | "Split"
  | "Line";

/** Arguments for creating a tool: its options, and the ports that it uses. */
export interface ToolContext<Options, Ports> {
  ports: Ports;
  options: () => Options;
}

/** Destination of the next shape. */
export interface ShapeDestination {
  /** True if the next shape becomes a new annotation although one is selected. */
  startsNew: boolean;
  /** True if the next shape replaces the selected annotation's shape. */
  isRefinement?: boolean;
}

/** A tool in use: a small state machine that receives pointer events and a few commands. */
export interface ToolMachine extends PointerTarget {
  /** Name of the current state, such as "polygon.drawing". */
  readonly state: string;
  /** Store for the hint. */
  readonly destination?: StoreApi<ShapeDestination>;
  /** Called when the tool is left: discards unfinished work. */
  exit(): void;
  /** Handles Escape. Returns true if there was something to discard. */
  cancel(): boolean;
  /** Called after the document, the selection or the view has changed. */
  refresh(): void;
  /** Finishes the shape being drawn. */
  complete?(): void;
  /** Accepts the computed result, if there is one. Called before unfinished work is discarded. */
  conclude?(): void;
  /** Removes the last point. Returns true if there was one. */
  removeLastPoint?(): boolean;
  /** Undoes the last gesture of the unfinished shape. Returns true if there was one. */
  undo?(): boolean;
  redo?(): boolean;
  /** Replaces the selected annotation's shape by an outline from these clicks, which the user then corrects. */
  refine?(clicks: Prompt): void;
  /** Continues an unfinished outline that was kept. */
  continueWith?(sketch: SketchPoints): void;
}

/** An entry in the list of tools, which toolbar, keys, preferences and help read. */
export interface ToolDefinition<Options = object, M extends ToolMachine = ToolMachine> {
  name: ToolName;
  /** Name in the language of the page. */
  readonly label: string;
  /** Key of the tool's preferences on the server. */
  preference: string;
  /** Keys that choose the tool, pressed together. */
  keys: readonly string[];
  icon: ComponentType<{ size?: number }>;
  /** CSS cursor over the canvas. */
  cursor: string;
  /** True if the tool edits vertices of the selected shape, so that they are shown. */
  showsVertices: boolean;
  /** True if the tool needs a selected annotation; choosing the tool without a selection creates an annotation. */
  needsAnnotation: boolean;
  /** One line on how to use the tool. */
  readonly hint: string;
  /** Kind of shape that the tool draws, or null. */
  draws: ShapeKind | null;
  /** True if the tool removes from the shape instead of adding to it. */
  removes?: boolean;
  /**
   * Returns options that make the tool larger by `by` image pixels, or smaller if `by` is negative. Only for tools with
   * a size.
   */
  resize?(options: Options, by: number): Partial<Options>;
  /** True if the tool is remembered as the last used one. */
  remembered: boolean;
  defaults: Options;
  /** Returns the valid part of stored preferences; everything else falls back to the defaults. */
  parse(stored: unknown): Options;
  create(context: ToolContext<Options, ToolPorts>): M;
  Panel: ComponentType<ToolPanelProps<Options, M>>;
}

export interface ToolPanelProps<Options, M extends ToolMachine = ToolMachine> {
  options: Options;
  onChange: (change: Partial<Options>) => void;
  machine: M;
  /** True while the tool has an unfinished shape. */
  isDrawing: boolean;
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
  /** Handles an interrupted gesture: goes back to the situation before the gesture. */
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
