import { t } from "@lingui/core/macro";
import type { Ring } from "../../../../shared/entities/shape";
import type { PointerInput } from "../../canvas/view/pointer";
import type { Point } from "../../canvas/view/view";
import { heldOperation } from "../common/heldOperation";
import { Idle } from "../common/Idle";
import { Machine } from "../common/machine";
import type { DrawPort, NotePort, ShapeKind, StrokeOptions, ViewPort } from "../common/ports";
import { isRepeatedPress } from "../common/presses";
import type { ToolContext } from "../common/tool";
import { Drawing } from "./Drawing";
import { Pressing } from "./Pressing";
import type { CornersPort } from "./port";

/** Shapes thinner than this are ignored as accidental clicks. In screen pixels. */
const MIN_SIDE_PX = 2;
/** Note with the size of a shape that is added to the selected annotation or cut out of it. */
const noteOf = (operation: "unite" | "subtract" | null, size: string): string =>
  operation === null ? size : operation === "unite" ? t`Add ${size}` : t`Cut ${size}`;

type Ports = ViewPort & DrawPort & NotePort;

/** A kind of shape that is drawn between two opposite corners of the box around it. */
export interface Form {
  /** Name of the tool's states. */
  name: string;
  kind: ShapeKind;
  /** Returns the shape between two opposite corners, in image pixels. */
  ring(a: Point, b: Point): Ring;
}

/**
 * Draws a shape between two corners: two clicks, or one drag. If the selected annotation already has a shape, the drawn
 * shape becomes a new annotation of the same category. With Shift held at the first corner, it is added to the selected
 * annotation; with Alt, it is cut out. Shift pressed after the first corner makes width and height equal.
 */
export class CornersTool extends Machine implements CornersPort {
  /** The first corner, or null if none is set. */
  private corner: Point | null = null;
  /** Operation chosen by the key that was held at the first corner; null without a key. */
  private operation: ReturnType<typeof heldOperation> = null;
  /**
   * True if Shift was not held at the first corner or has been released since: from then on Shift makes width and
   * height equal.
   */
  private isShiftFree = false;

  constructor(
    private readonly context: ToolContext<StrokeOptions, Ports>,
    private readonly form: Form,
  ) {
    super(form.name);
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
    if (isRepeatedPress(input)) return;
    const operation = heldOperation(input);
    if (!this.context.ports.mayDraw(operation)) return;
    this.operation = operation;
    this.isShiftFree = !input.shift;
    this.corner = this.context.ports.onImage(input.image);
    this.become(new Pressing(this, input));
  }

  wait(): void {
    this.become(new Drawing(this));
  }

  show(input: PointerInput): void {
    const { ports, options } = this.context;
    if (!this.corner) return;
    const opposite = this.oppositeOf(this.corner, input);
    ports.showDraft({
      ring: this.form.ring(this.corner, opposite),
      closed: true,
      stroke: ports.strokeAt(opposite, options()),
    });
    const width = Math.round(Math.abs(opposite.x - this.corner.x));
    const height = Math.round(Math.abs(opposite.y - this.corner.y));
    ports.showNote(noteOf(this.operation, `${width} × ${height}`), opposite);
  }

  /** Sets the opposite corner. A shape that is too thin is ignored, and the first corner stays set. */
  finish(input: PointerInput): void {
    const { corner, operation, form } = this;
    if (!corner) return;
    const opposite = this.oppositeOf(corner, input);
    const side = Math.min(Math.abs(opposite.x - corner.x), Math.abs(opposite.y - corner.y));
    if (side < MIN_SIDE_PX * this.scale) {
      this.wait();
      return;
    }
    this.drop();
    this.context.ports.draw([[form.ring(corner, opposite)]], form.kind, { operation });
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

  private oppositeOf(corner: Point, { image, shift }: PointerInput): Point {
    const { ports } = this.context;
    const at = ports.onImage(image);
    if (!shift) this.isShiftFree = true;
    if (!shift || !this.isShiftFree) return at;
    const [dx, dy] = [at.x - corner.x, at.y - corner.y];
    const [right, bottom] = [Math.sign(dx) || 1, Math.sign(dy) || 1];
    const farthest = ports.onImage({ x: corner.x + 1e9 * right, y: corner.y + 1e9 * bottom });
    const room = Math.min(Math.abs(farthest.x - corner.x), Math.abs(farthest.y - corner.y));
    const side = Math.min(Math.max(Math.abs(dx), Math.abs(dy)), room);
    return { x: corner.x + right * side, y: corner.y + bottom * side };
  }

  private drop(): void {
    this.corner = null;
    this.context.ports.showDraft(null);
    this.context.ports.showNote(null, null);
    this.idle();
  }
}
