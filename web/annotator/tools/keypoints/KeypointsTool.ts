import type { PointerInput } from "../../canvas/view/pointer";
import type { Point } from "../../canvas/view/view";
import type { PlacingPorts } from "../common/keypointPorts";
import { MovingKeypoint } from "../common/MovingKeypoint";
import { Machine } from "../common/machine";
import type { CursorPort, NotePort, ShapePort, ViewPort } from "../common/ports";
import type { ToolContext } from "../common/tool";
import { Idle } from "./Idle";
import { HIDDEN, type KeypointOptions } from "./options";
import { Placing } from "./Placing";
import type { KeypointsPort } from "./port";

/** Hit distance of a keypoint in screen pixels; fingers are less precise. */
const REACH_PX = { mouse: 8, touch: 16 };

type Ports = ViewPort & Pick<ShapePort, "selectedShape"> & CursorPort & NotePort & { keypoints: PlacingPorts };

/** Places keypoints for the category's labels in order; moves, selects and connects placed ones. */
export class KeypointsTool extends Machine implements KeypointsPort {
  /** The pointer's last position, while it is over the canvas. */
  private pointer: PointerInput | null = null;
  private isIdle = true;
  /** Uuid of the annotation that was selected when the press began. */
  private startedOn: string | undefined;
  /** Label placed at the pointer's current position: the next label is shown there instead of this one. */
  private justPlaced: number | null = null;

  constructor(private readonly context: ToolContext<KeypointOptions, Ports>) {
    super("keypoints");
    this.idle();
  }

  get keypoints() {
    return this.context.ports.keypoints;
  }

  onImage(point: Point): Point {
    return this.context.ports.onImage(point);
  }

  idle(): void {
    this.isIdle = true;
    this.become(new Idle(this));
  }

  press(input: PointerInput): void {
    const spot = this.spotAt(input);
    if (!spot && !this.keypoints.mayPlace()) return;
    this.isIdle = false;
    this.startedOn = this.context.ports.selectedShape()?.uuid;
    this.clearHints();
    this.become(spot ? new MovingKeypoint(this, spot, input) : new Placing(this, input));
  }

  aim({ image, shift }: PointerInput): void {
    const next = this.keypoints.next();
    const at = this.onImage(image);
    this.keypoints.preview(next && { label: next.label, ...at }, this.visibility(shift));
    this.context.ports.showNote(next?.name ?? null, at);
  }

  place(input: PointerInput): void {
    this.pointer = input;
    this.justPlaced = this.keypoints.next()?.label ?? null;
    this.idle();
    // Placing the last label leaves this tool, so nothing may follow.
    this.keypoints.place(this.onImage(input.image), this.visibility(input.shift));
  }

  look(input: PointerInput): void {
    this.pointer = input;
    const { ports, options } = this.context;
    const under = this.spotAt(input);
    if (under?.label !== this.justPlaced) this.justPlaced = null;
    const spot = under?.label === this.justPlaced ? null : under;
    ports.showCursor(spot ? "pointer" : null);
    this.keypoints.hover(spot?.label ?? null, spot && input.image);
    if (spot) return;
    const next = options().showLabel ? this.keypoints.next() : null;
    ports.showNote(next?.name ?? null, next && input.image);
  }

  away(): void {
    this.pointer = null;
    this.clearHints();
  }

  /**
   * Updates the hints, because the next label or the keypoint under the pointer may have changed. Cancels the press if
   * another annotation is selected.
   */
  override refresh(): void {
    if (this.isIdle && this.pointer) this.look(this.pointer);
    else if (!this.isIdle && this.context.ports.selectedShape()?.uuid !== this.startedOn) this.cancel();
  }

  undo(): boolean {
    return this.cancel();
  }

  removeLastPoint(): boolean {
    return this.cancel() || this.keypoints.removeLast();
  }

  cancel(): boolean {
    const had = !this.isIdle;
    this.clearHints();
    this.idle();
    return had;
  }

  override exit(): void {
    this.pointer = null;
    super.exit();
  }

  private spotAt({ image, kind }: PointerInput) {
    const reach = kind === "touch" ? REACH_PX.touch : REACH_PX.mouse;
    return this.keypoints.at(image, reach * this.context.ports.scale());
  }

  private visibility(shift: boolean): number {
    return shift ? HIDDEN : this.context.options().visibility;
  }

  private clearHints(): void {
    this.keypoints.hover(null, null);
    this.context.ports.showNote(null, null);
    this.context.ports.showCursor(null);
  }
}
