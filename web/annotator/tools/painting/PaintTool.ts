import { t } from "@lingui/core/macro";
import type { Ring } from "../../../../shared/entities/shape";
import type { Piece } from "../../canvas/active/paintingLayer";
import type { PointerInput, TrailPoint } from "../../canvas/view/pointer";
import { heldOperation } from "../common/heldOperation";
import { Idle } from "../common/Idle";
import { Machine } from "../common/machine";
import type { CirclePort, NotePort, PiecePort, TargetPort, ViewPort } from "../common/ports";
import { type Sweeper, Sweeping } from "../common/Sweeping";
import type { ToolContext } from "../common/tool";
import type { PaintOptions } from "./options";
import { isMeasured, shareOfRadius } from "./pressure";

/**
 * Minimum distance between a stroke's points, as a fraction of its radius: closer points make no visible difference.
 */
const MIN_STEP = 1 / 20;

type Ports = Pick<ViewPort, "scale"> & TargetPort & Pick<PiecePort, "showPiece" | "putPiece"> & CirclePort & NotePort;

/** An unfinished stroke with a growing path, and the uuid of the annotation that it was begun on. */
interface Begun {
  piece: Piece & { stroke: { path: Ring; radius: number; radii?: number[] } };
  target: string;
  /** True once the pen has reported a measured pressure. */
  isMeasured: boolean;
}

/**
 * Round brush or eraser: a drag makes one stroke, which is united with or subtracted from the selected annotation. Alt
 * makes any stroke erase, Shift makes it paint.
 */
export class PaintTool extends Machine implements Sweeper {
  private begun: Begun | null = null;

  constructor(
    private readonly context: ToolContext<PaintOptions, Ports>,
    name: "brush" | "eraser",
    private readonly operation: Piece["operation"],
  ) {
    super(name);
    this.become(new Idle(this));
    this.refresh();
  }

  press(input: PointerInput): void {
    const { image } = input;
    const { ports, options } = this.context;
    const { radius, pressure } = options();
    const target = ports.target();
    if (!target) return;
    if (radius === 0) {
      ports.showNote(t`The radius is 0`, image);
      return;
    }
    const operation = heldOperation(input) ?? this.operation;
    const isPressed = pressure && input.pressure !== undefined;
    const stroke = { path: [image.x, image.y], radius, ...(isPressed && { radii: [] }) };
    this.begun = { target, piece: { operation, stroke }, isMeasured: false };
    this.begun.piece.stroke.radii?.push(this.radiusAt(this.begun, input.pressure));
    ports.showPiece(this.begun.piece);
    this.become(new Sweeping(this, "stroking"));
  }

  drag({ image, trail, pressure }: PointerInput): void {
    const { begun } = this;
    if (!begun || this.isLost()) return;
    for (const point of trail ?? [pressure === undefined ? image : { ...image, pressure }]) this.add(begun, point);
    this.context.ports.showPiece(begun.piece);
  }

  finish(): void {
    const { begun } = this;
    if (!begun || this.isLost()) return;
    this.begun = null;
    this.become(new Idle(this));
    this.context.ports.putPiece(begun.piece);
  }

  cancel(): boolean {
    const had = this.begun !== null;
    this.begun = null;
    if (had) this.context.ports.showPiece(null);
    this.context.ports.showNote(null, null);
    this.become(new Idle(this));
    return had;
  }

  undo(): boolean {
    return this.cancel();
  }

  removeLastPoint(): boolean {
    return this.cancel();
  }

  override refresh(): void {
    const { radius, strokeColor } = this.context.options();
    this.context.ports.showCircle({ radius, color: strokeColor });
  }

  override exit(): void {
    super.exit();
    this.context.ports.showCircle(null);
  }

  /**
   * Adds a point, unless it is very near to the last one and its radius is not larger: pressure grows after a pen
   * touches.
   */
  private add(begun: Begun, { x, y, pressure }: TrailPoint): void {
    const { path, radius, radii } = begun.piece.stroke;
    const next = radii ? this.radiusAt(begun, pressure) : radius;
    const last = radii?.at(-1) ?? radius;
    const step = Math.max(Math.hypot(x - path.at(-2)!, y - path.at(-1)!), next - last);
    if (step < Math.min(this.context.ports.scale(), last * MIN_STEP)) return;
    path.push(x, y);
    radii?.push(next);
  }

  private radiusAt(begun: Begun, pressure: number | undefined): number {
    begun.isMeasured ||= isMeasured(pressure);
    return begun.piece.stroke.radius * shareOfRadius(pressure, begun.isMeasured);
  }

  /** Cancels the stroke and returns true if another annotation was selected since the press. */
  private isLost(): boolean {
    const isLost = this.context.ports.target() !== this.begun?.target;
    if (isLost) this.cancel();
    return isLost;
  }
}
