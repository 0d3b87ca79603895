import { POLYGON } from "../../../../shared/constants";
import type { Ring } from "../../../../shared/entities/shape";
import type { PointerInput } from "../../canvas/view/pointer";
import type { Point } from "../../canvas/view/view";
import { Idle } from "../common/Idle";
import { Machine } from "../common/machine";
import type { ToolContext } from "../common/tool";
import { Drawing } from "./Drawing";
import { Line } from "./Line";
import type { PolygonOptions } from "./options";
import { Pressing } from "./Pressing";
import type { PolygonPort } from "./port";

/** However small the image is shown, the first point can be hit: at least this many screen pixels around it. */
const MIN_COMPLETE_PX = 6;

/**
 * Clicks add points, dragging draws free-hand. The outline closes by itself when its last point comes near the first,
 * or by Enter, double click or button; then it is united into the annotation in hand.
 */
export class PolygonTool extends Machine implements PolygonPort {
  private readonly line = new Line();
  private pointer: Point | null = null;

  constructor(private readonly context: ToolContext<PolygonOptions>) {
    super("polygon");
    this.idle();
  }

  idle(): void {
    this.become(new Idle(this));
  }

  drawing(): void {
    this.become(new Drawing(this));
  }

  /** A press begins a gesture: its points are taken back together. */
  press(input: PointerInput): void {
    if (this.line.count === 0 && !this.context.ports.mayDraw()) return;
    this.line.beginGesture();
    this.line.add(this.context.ports.onImage(input.image));
    this.pointAt(input);
    this.become(new Pressing(this, input));
  }

  /** The pointer drags: a point for every `minDistance`. Returns true if that has closed the outline. */
  drag(input: PointerInput): boolean {
    const point = this.context.ports.onImage(input.image);
    if (this.line.distanceFromLast(point) >= Math.max(this.context.options().minDistance, this.context.ports.scale()))
      this.line.addFreehand(point);
    this.pointAt(input);
    return this.line.count >= POLYGON.minPointsOnDrag && this.closeIfNear();
  }

  /** After a click. Returns true if the outline has closed itself. */
  clicked(): boolean {
    return this.line.count > POLYGON.minPointsOnClick && this.closeIfNear();
  }

  pointAt(input: PointerInput | null): void {
    this.pointer = input?.image ?? null;
    this.show();
  }

  /** Closes the outline. With fewer than three points there is nothing to close. */
  complete(): void {
    const ring = this.line.ring();
    if (ring.length < 6) return;
    const { isFreehand } = this.line;
    this.drop();
    this.context.ports.draw([[ring]], "polygon", { isFreehand });
  }

  /** Takes back the points of the press that was cut off. */
  abortGesture(): void {
    this.line.dropGesture();
    this.settle();
  }

  cancel(): boolean {
    const had = this.line.count > 0;
    this.drop();
    return had;
  }

  takeBack(): boolean {
    const had = this.line.dropPoint();
    if (had) this.settle();
    return had;
  }

  /** With no point left, undo goes to the step before: redo brings that back, not these points. */
  undo(): boolean {
    const had = this.line.dropGesture();
    if (had) this.settle();
    else this.line.clear();
    return had;
  }

  redo(): boolean {
    const had = this.line.restoreGesture();
    if (had) this.settle();
    return had || this.line.count > 0;
  }

  override refresh(): void {
    this.show();
  }

  /** The last point lies near the first: it is not a corner of its own. */
  private closeIfNear(): boolean {
    if (this.line.distanceToFirst() > this.reach()) return false;
    this.line.dropPoint();
    this.complete();
    return true;
  }

  private reach(): number {
    const { completeDistance } = this.context.options();
    return completeDistance > 0 ? Math.max(completeDistance, MIN_COMPLETE_PX * this.context.ports.scale()) : 0;
  }

  private settle(): void {
    if (this.line.count === 0) this.idle();
    else this.drawing();
    this.show();
  }

  private drop(): void {
    this.line.clear();
    this.context.ports.showDraft(null);
    this.idle();
  }

  private show(): void {
    const ring: Ring = this.line.ring();
    if (ring.length === 0) {
      this.context.ports.showDraft(null);
      return;
    }
    const options = this.context.options();
    const guide = options.guidance && this.pointer ? this.context.ports.onImage(this.pointer) : null;
    const last = guide ?? { x: ring.at(-2)!, y: ring.at(-1)! };
    const target = this.line.count >= POLYGON.minPointsOnClick && this.line.distanceToFirst(last) <= this.reach();
    const stroke = this.context.ports.strokeAt(last, options);
    this.context.ports.showDraft({ ring, closed: false, stroke, guide, target });
  }
}
