import type { Ring } from "../../../../shared/entities/shape";
import { boxOnSide } from "../../../../shared/geometry/forms/rotatedBox";
import type { PointerInput } from "../../canvas/view/pointer";
import type { Point } from "../../canvas/view/view";
import { heldOperation } from "../common/heldOperation";
import { Idle } from "../common/Idle";
import { Machine } from "../common/machine";
import type { DrawPort, NotePort, StrokeOptions, ViewPort } from "../common/ports";
import { isRepeatedPress } from "../common/presses";
import type { ToolContext } from "../common/tool";
import { Drawing } from "../corners/Drawing";
import { Pressing } from "../corners/Pressing";
import type { CornersPort } from "../corners/port";

/** Sides shorter than this are ignored as accidental clicks. In screen pixels. */
const MIN_SIDE_PX = 2;

type Ports = ViewPort & DrawPort & NotePort;

/**
 * Draws a box along an object: first one side by a drag or two clicks, then a click on the opposite side. The box
 * becomes a new annotation if the selected one already has a shape. With Shift held at the first point, the box is
 * added to the selected annotation; with Alt, it is cut out.
 */
export class RotatedBoxTool extends Machine implements CornersPort {
  /** The ends of the first side, as far as they are set. */
  private side: Point[] = [];
  private operation: ReturnType<typeof heldOperation> = null;

  constructor(private readonly context: ToolContext<StrokeOptions, Ports>) {
    super("rotated box");
    this.become(new Idle(this));
  }

  get scale(): number {
    return this.context.ports.scale();
  }

  press(input: PointerInput): void {
    if (isRepeatedPress(input)) return;
    const operation = heldOperation(input);
    if (!this.context.ports.mayDraw(operation)) return;
    this.operation = operation;
    this.side = [this.context.ports.onImage(input.image)];
    this.become(new Pressing(this, input));
  }

  wait(): void {
    this.become(new Drawing(this));
  }

  show({ image }: PointerInput): void {
    const { ports, options } = this.context;
    const at = ports.onImage(image);
    const ring = this.ringTo(at);
    if (!ring) return;
    ports.showDraft({ ring, closed: ring.length === 8, stroke: ports.strokeAt(at, options()) });
    ports.showNote(sizeOf(ring), at);
  }

  /** Sets the second end of the side, then the opposite side. A side that is too short is ignored. */
  finish(input: PointerInput): void {
    const { operation } = this;
    const at = this.context.ports.onImage(input.image);
    const ring = this.ringTo(at);
    const length = ring && Math.hypot(...lastSide(ring));
    if (!ring || !length || length < MIN_SIDE_PX * this.scale) {
      this.wait();
      return;
    }
    if (ring.length === 4) {
      this.side.push(at);
      this.wait();
      this.show(input);
      return;
    }
    this.drop();
    this.context.ports.draw([[ring]], "figure", { operation });
  }

  cancel(): boolean {
    const had = this.side.length > 0;
    this.drop();
    return had;
  }

  undo(): boolean {
    return this.removeLastPoint();
  }

  removeLastPoint(): boolean {
    const had = this.side.pop() !== undefined;
    if (this.side.length === 0) this.drop();
    else
      this.context.ports.showDraft({ ring: this.side.flatMap(({ x, y }) => [x, y]), closed: false, stroke: "#ffffff" });
    return had;
  }

  /**
   * Returns the first side, ending at the point; once that side is set, the box whose opposite side goes through the
   * point. Returns null before the first point.
   */
  private ringTo(at: Point): Ring | null {
    const [a, b] = this.side;
    if (!a) return null;
    return b ? boxOnSide(a, b, at) : [a.x, a.y, at.x, at.y];
  }

  private drop(): void {
    this.side = [];
    this.operation = null;
    this.context.ports.showDraft(null);
    this.context.ports.showNote(null, null);
    this.become(new Idle(this));
  }
}

/** Returns the vector along the side that was set last, in image pixels. */
const lastSide = (ring: Ring): [number, number] => {
  const at = ring.length === 8 ? 2 : 0;
  return [ring[at + 2]! - ring[at]!, ring[at + 3]! - ring[at + 1]!];
};

function sizeOf(ring: Ring): string {
  const width = Math.round(Math.hypot(ring[2]! - ring[0]!, ring[3]! - ring[1]!));
  return ring.length === 8 ? `${width} × ${Math.round(Math.hypot(...lastSide(ring)))}` : `${width}`;
}
