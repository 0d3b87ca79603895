import { t } from "@lingui/core/macro";
import { moveCorner, moveSide, rotatedBoxOf } from "../../../../shared/geometry/forms/rotatedBox";
import { isOnlyLines } from "../../../../shared/geometry/lines/line";
import { isRectangle, translateRings } from "../../../../shared/geometry/polygons";
import type { PointerInput } from "../../canvas/view/pointer";
import type { Point } from "../../canvas/view/view";
import type { SelectedShape } from "../common/ports";
import { ToolState } from "../common/tool";
import { GRIP_PX, type Hit, type PartHit, type SelectPort } from "./port";
import { deleteVertex, gripAt, insertVertex, moveGrip, moveVertex, turnBox } from "./reshape";

/** State between gestures: highlights what is under the pointer, and decides what a press does. */
export class Idle extends ToolState {
  readonly name = "idle";

  constructor(private readonly tool: SelectPort) {
    super();
  }

  override move(input: PointerInput): void {
    this.tool.look(input);
  }

  override leave(): void {
    this.tool.look(null);
  }

  override down(input: PointerInput): boolean {
    const adds = input.shift || input.control === true;
    const keypoint = this.tool.keypointAt(input.image);
    if (keypoint && !adds) {
      this.tool.moveKeypoint(keypoint, input);
      return true;
    }
    const shape = this.tool.selectedShape();
    const hit = this.tool.hitAt(input.image);
    if (shape && hit?.kind === "vertex" && input.shift && !shape.isbbox) this.remove(shape, hit, input);
    else if (adds || (input.alt && (!hit || !("place" in hit)))) this.tool.startMarquee(input);
    else if (!shape || !hit) return this.pressBeside(input);
    else if (hit.kind === "inside") return this.tool.startMove(input);
    else if (hit.kind === "turn") this.turn(shape, input);
    else if (shape.isbbox) this.resize(shape, hit, input);
    else if (rotatedBoxOf(shape.rings) && !input.alt) this.resizeRotated(shape, hit, input);
    else this.reshape(shape, hit, input);
    return true;
  }

  override click({ image }: PointerInput): void {
    this.tool.pick(image);
  }

  /**
   * Handles a press that is not on the selection. On an empty part of the image, starts a box or a loop around shapes.
   * Elsewhere, and with a finger unless the lasso is on, returns false, so that a drag pans the view.
   */
  private pressBeside(input: PointerInput): boolean {
    const pans = input.kind === "touch" && !this.tool.usesLasso;
    if (pans || !this.tool.isOnEmptyImage(input.image)) return false;
    this.tool.startMarquee(input);
    return true;
  }

  /** Deletes a vertex of an outline on release, so that a second finger can still cancel it. */
  private remove(shape: SelectedShape, hit: Extract<Hit, { kind: "vertex" }>, from: PointerInput): void {
    const rings = deleteVertex(shape.rings, hit.place);
    if (rings) this.tool.drag({ shape, from, action: t`Delete Point`, change: () => rings, click: rings, mark: false });
  }

  private turn(shape: SelectedShape, from: PointerInput): void {
    const change = (to: Point, isShift: boolean) => turnBox(shape.rings, from.image, to, isShift);
    this.tool.drag({ shape, from, action: t`Rotate`, change, isBox: isRectangle, click: null, mark: false });
  }

  /**
   * Moves a corner or a side of a rotated box. With Alt, `reshape` moves a corner alone, and the box becomes an
   * outline.
   */
  private resizeRotated(shape: SelectedShape, { kind, place }: PartHit, from: PointerInput): void {
    const ring = shape.rings[0]![0]!;
    const moved = kind === "vertex" ? moveCorner : moveSide;
    const change = (to: Point) => [[moved(ring, place.vertex, this.tool.onImage(to))]];
    this.tool.drag({ shape, from, action: t`Resize`, change, click: null, mark: false });
  }

  private resize(shape: SelectedShape, hit: PartHit, from: PointerInput): void {
    const grip = gripAt(shape.rings, hit.at, GRIP_PX * this.tool.scale());
    const change = (to: { x: number; y: number }) => moveGrip(shape.rings, grip, this.tool.onImage(to));
    this.tool.drag({ shape, from, action: t`Resize`, change, click: null, mark: false });
  }

  private reshape(shape: SelectedShape, hit: PartHit, from: PointerInput): void {
    const added = hit.kind === "outline";
    const { rings, place } = added ? insertVertex(shape.rings, hit.place, hit.at) : { ...shape, place: hit.place };
    // A line has no inside, so dragging its outline moves it.
    const isMove = added && isOnlyLines(shape.rings);
    const moved = ({ x, y }: Point) => translateRings(shape.rings, x - from.image.x, y - from.image.y);
    this.tool.drag({
      shape,
      from,
      action: isMove ? t`Move` : added ? t`Add Point` : t`Move Point`,
      change: isMove ? moved : (to) => moveVertex(rings, place, this.tool.snapped(to)),
      click: added ? rings : null,
      clickAction: t`Add Point`,
      mark: true,
    });
  }
}
