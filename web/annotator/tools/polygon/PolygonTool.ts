import { t } from "@lingui/core/macro";
import { POLYGON } from "../../../../shared/constants";
import type { Ring } from "../../../../shared/entities/shape";
import { followRing } from "../../../../shared/geometry/operations/followRing";
import type { PointerInput } from "../../canvas/view/pointer";
import type { Point } from "../../canvas/view/view";
import { Drawing } from "../common/Drawing";
import { heldOperation } from "../common/heldOperation";
import { Idle } from "../common/Idle";
import { Machine } from "../common/machine";
import type {
  DrawPort,
  MessagePort,
  NotePort,
  ShapePort,
  SketchPoints,
  SnapPort,
  Snapped,
  ViewPort,
} from "../common/ports";
import { isRepeatedPress } from "../common/presses";
import type { ToolContext } from "../common/tool";
import { Line } from "./Line";
import type { PolygonOptions } from "./options";
import { Pressing } from "./Pressing";
import type { PolygonPort } from "./port";

/** Minimum hit distance of the first point in screen pixels, so that it can be hit at any zoom. */
const MIN_COMPLETE_PX = 6;

type Ports = ViewPort & DrawPort & NotePort & SnapPort & Pick<ShapePort, "showSpot"> & Pick<MessagePort, "remark">;

/**
 * Draws an outline: clicks add points, dragging draws free-hand. The outline closes when its last point is near the
 * first, or with Enter, a double click or the button. The closed shape is united with the selected annotation, or cut
 * out of it if Alt was held at the first point.
 */
export class PolygonTool extends Machine implements PolygonPort {
  private readonly line = new Line();
  private pointer: Point | null = null;
  /** The place on another shape that the last point snapped to; null if the point did not snap. */
  private border: Snapped | null = null;
  /** Operation chosen by the key that was held at the first point; null without a key. */
  private operation: ReturnType<typeof heldOperation> = null;

  constructor(private readonly context: ToolContext<PolygonOptions, Ports>) {
    super("polygon");
    this.idle();
  }

  idle(): void {
    this.become(new Idle(this));
  }

  drawing(): void {
    this.become(new Drawing(this));
    // A restored sketch is always added to the annotation, so the points of a cut are not kept.
    if (this.operation !== "subtract")
      this.context.ports.keepSketch({ tool: "Polygon", ring: this.line.ring(), starts: this.line.starts });
  }

  continueWith({ ring, starts }: SketchPoints): void {
    const begins = new Set(starts);
    for (let i = 0; i + 1 < ring.length; i += 2) {
      if (begins.has(i / 2)) this.line.beginGesture();
      this.line.add({ x: ring[i]!, y: ring[i + 1]! });
    }
    this.settle();
  }

  /** Begins a gesture, whose points are undone together. */
  press(input: PointerInput): void {
    if (this.line.count === 0) {
      if (isRepeatedPress(input)) return;
      const operation = heldOperation(input);
      if (!this.context.ports.mayDraw(operation)) return;
      this.operation = operation;
    }
    this.line.beginGesture();
    const border = this.context.ports.snap(input.image);
    for (const point of this.pointsTo(border)) this.line.add(point);
    this.line.add(border ? { x: border.x, y: border.y } : this.context.ports.onImage(input.image));
    this.border = border;
    this.pointAt(input);
    this.become(new Pressing(this, input));
  }

  /**
   * Adds a point every `minDistance` image pixels. Closes the outline if the pointer is back at the first point;
   * returns true if it did.
   */
  drag(input: PointerInput): boolean {
    const point = this.context.ports.onImage(input.image);
    if (this.line.distanceFromLast(point) >= Math.max(this.context.options().minDistance, this.context.ports.scale()))
      this.addFreehand(point);
    this.pointAt(input);
    return this.line.count >= POLYGON.minPointsOnDrag && this.closeIfNear();
  }

  private addFreehand(point: Point): void {
    this.line.addFreehand(point);
    this.border = null;
  }

  /**
   * Returns the vertices of another shape's border between the last point and `place`, if both lie on the same ring;
   * otherwise an empty list.
   */
  private pointsTo(place: Snapped | null): Point[] {
    const { border } = this;
    if (!border || !place || place.ring !== border.ring || this.line.distanceFromLast(border) > 0) return [];
    const points = followRing(place.ring, border, place);
    return Array.from({ length: points.length >> 1 }, (_, i) => ({ x: points[2 * i]!, y: points[2 * i + 1]! }));
  }

  /** Closes the outline if the clicked point is near the first one. Returns true if it did. */
  closeOnClick(): boolean {
    return this.line.count > POLYGON.minPointsOnClick && this.closeIfNear();
  }

  pointAt(input: PointerInput | null): void {
    this.pointer = input?.image ?? null;
    this.showBorder();
    this.show();
  }

  /** Closes the outline. With fewer than three points, only tells the user. */
  complete(): void {
    const ring = this.line.ring();
    if (ring.length < 6) {
      if (ring.length > 0) this.context.ports.remark(t`An outline needs at least three points.`);
      return;
    }
    const { isFreehand } = this.line;
    const { operation } = this;
    this.drop();
    this.context.ports.draw([[ring]], "polygon", { isFreehand, operation });
  }

  /** Removes the points of an interrupted press. */
  abortGesture(): void {
    this.line.abortGesture();
    this.settle();
  }

  cancel(): boolean {
    const had = this.line.count > 0;
    this.context.ports.discardSketch();
    this.drop();
    return had;
  }

  removeLastPoint(): boolean {
    const had = this.line.dropPoint();
    if (had) this.settle();
    return had;
  }

  /**
   * Undoes the last gesture. Without one, drops the undone gestures: undo then goes to an earlier step of the history,
   * and redo must restore that step, not these points.
   */
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

  /** Closes the outline if its last point is near the first, and drops that last point. Returns true if it did. */
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
    if (this.line.count > 0) this.drawing();
    else {
      this.idle();
      this.context.ports.keepSketch(null);
    }
    this.show();
  }

  /** Marks the place on another shape that a click would snap to. */
  private showBorder(): void {
    const place = this.pointer && this.context.ports.snap(this.pointer);
    this.context.ports.showSpot(place && { x: place.x, y: place.y, kind: place.isVertex ? "vertex" : "outline" });
  }

  private drop(): void {
    this.border = null;
    this.context.ports.showSpot(null);
    this.line.clear();
    this.context.ports.showDraft(null);
    this.context.ports.keepSketch(null);
    this.showNote();
    this.idle();
  }

  /** Shows beside the pointer that the outline will be cut out. */
  private showNote(): void {
    const isCut = this.operation === "subtract" && this.line.count > 0;
    this.context.ports.showNote(isCut ? t`Cut` : null, isCut ? this.pointer : null);
    if (this.line.count === 0) this.operation = null;
  }

  private show(): void {
    const ring: Ring = this.line.ring();
    if (this.operation) this.showNote();
    if (ring.length === 0) {
      this.context.ports.showDraft(null);
      return;
    }
    const options = this.context.options();
    const place = this.pointer && this.context.ports.snap(this.pointer);
    const guide = options.guidance && this.pointer ? (place ?? this.context.ports.onImage(this.pointer)) : null;
    const followed = this.pointsTo(place).flatMap(({ x, y }) => [x, y]);
    const last = guide ?? { x: ring.at(-2)!, y: ring.at(-1)! };
    const target = this.line.count >= POLYGON.minPointsOnClick && this.line.distanceToFirst(last) <= this.reach();
    const stroke = this.context.ports.strokeAt(last, options);
    this.context.ports.showDraft({
      ring,
      closed: false,
      stroke,
      guide,
      band: guide && [...ring.slice(-2), ...followed, guide.x, guide.y],
      target,
    });
  }
}
