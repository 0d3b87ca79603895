import type { Ring } from "../../../../shared/entities/shape";
import type { PointerInput } from "../../canvas/view/pointer";
import type { Point } from "../../canvas/view/view";
import { heldOperation } from "../common/heldOperation";
import { Idle } from "../common/Idle";
import { Machine } from "../common/machine";
import type { DrawPort, NotePort, StrokeOptions, ViewPort } from "../common/ports";
import type { ToolContext } from "../common/tool";
import { Drawing } from "./Drawing";
import { Pressing } from "./Pressing";
import type { BBoxPort } from "./port";

/** Boxes thinner than this are ignored as accidental clicks. In screen pixels. */
const MIN_SIDE_PX = 2;
/** Words before the size of a box that is not a new one. */
const VERB = { unite: "Add ", subtract: "Cut " } as const;

type Ports = ViewPort & DrawPort & NotePort;

/**
 * Draws a box from two corners: two clicks, or one drag. If the selected annotation already has a shape, the box
 * becomes a new annotation of the same category. With Shift held at the first corner the box is added to the shape, with
 * Alt it is cut out.
 */
export class BBoxTool extends Machine implements BBoxPort {
  /** The first corner, or null if none is set. */
  private corner: Point | null = null;
  /** Operation that was asked for by a held key at the first corner. */
  private operation: ReturnType<typeof heldOperation> = null;

  constructor(private readonly context: ToolContext<StrokeOptions, Ports>) {
    super("bbox");
    this.idle();
  }

  get scale(): number {
    return this.context.ports.scale();
  }

  idle(): void {
    this.become(new Idle(this));
  }

  /** Sets the first corner, if drawing is possible. */
  press(input: PointerInput): void {
    const operation = heldOperation(input);
    if (!this.context.ports.mayDraw(operation)) return;
    this.operation = operation;
    this.corner = this.context.ports.onImage(input.image);
    this.become(new Pressing(this, input));
  }

  wait(): void {
    this.become(new Drawing(this));
  }

  show({ image }: PointerInput): void {
    const { ports, options } = this.context;
    if (!this.corner) return;
    const opposite = ports.onImage(image);
    ports.showDraft({
      ring: boxRing(this.corner, opposite),
      closed: true,
      stroke: ports.strokeAt(opposite, options()),
    });
    const width = Math.round(Math.abs(opposite.x - this.corner.x));
    const height = Math.round(Math.abs(opposite.y - this.corner.y));
    ports.showNote(`${this.operation ? VERB[this.operation] : ""}${width} × ${height}`, opposite);
  }

  /** Sets the opposite corner. A box that is too thin is ignored, and the first corner stays set. */
  finish({ image }: PointerInput): void {
    const { corner, operation } = this;
    const opposite = this.context.ports.onImage(image);
    if (!corner) return;
    const side = Math.min(Math.abs(opposite.x - corner.x), Math.abs(opposite.y - corner.y));
    if (side < MIN_SIDE_PX * this.scale) {
      this.wait();
      return;
    }
    this.drop();
    this.context.ports.draw([[boxRing(corner, opposite)]], "bbox", { operation });
  }

  cancel(): boolean {
    const had = this.corner !== null;
    this.drop();
    return had;
  }

  undo(): boolean {
    return this.cancel();
  }

  removeLastPoint(): boolean {
    return this.cancel();
  }

  private drop(): void {
    this.corner = null;
    this.context.ports.showDraft(null);
    this.context.ports.showNote(null, null);
    this.idle();
  }
}

/** Returns the box with these opposite corners, clockwise on screen from the top left. */
export function boxRing(a: Point, b: Point): Ring {
  const left = Math.min(a.x, b.x);
  const right = Math.max(a.x, b.x);
  const top = Math.min(a.y, b.y);
  const bottom = Math.max(a.y, b.y);
  return [left, top, right, top, right, bottom, left, bottom];
}
