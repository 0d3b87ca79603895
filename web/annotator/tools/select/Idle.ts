import type { PointerInput } from "../../canvas/view/pointer";
import type { SelectedShape } from "../common/ports";
import { ToolState } from "../common/tool";
import { GRIP_PX, type Hit, type SelectPort } from "./port";
import { deleteVertex, gripAt, insertVertex, moveGrip, moveShape, moveVertex } from "./reshape";

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
    const keypoint = this.tool.keypointAt(input.image);
    if (keypoint) {
      this.tool.moveKeypoint(keypoint, input);
      return true;
    }
    const shape = this.tool.selectedShape();
    const hit = shape && this.tool.hitAt(input.image);
    if (!shape || !hit) return false;
    if (hit.kind === "inside") this.moveWhole(shape, input);
    else if (input.shift) this.remove(shape, hit);
    else if (shape.isbbox) this.resize(shape, hit, input);
    else this.reshape(shape, hit, input);
    return true;
  }

  override click({ image }: PointerInput): void {
    this.tool.pick(image);
  }

  private moveWhole(shape: SelectedShape, from: PointerInput): void {
    const { x, y } = from.image;
    this.tool.drag({
      shape,
      from,
      action: "Move",
      change: (to) => moveShape(shape.rings, { x: to.x - x, y: to.y - y }, (point) => this.tool.onImage(point)),
      click: null,
      mark: false,
    });
  }

  /** Deletes a vertex on Shift+click. Does nothing elsewhere on the outline, and nothing on a box. */
  private remove(shape: SelectedShape, hit: Exclude<Hit, { kind: "inside" }>): void {
    const rings = hit.kind === "vertex" && !shape.isbbox ? deleteVertex(shape.rings, hit.place) : null;
    if (rings) this.tool.commit(shape, rings, "Delete Point");
  }

  private resize(shape: SelectedShape, hit: Exclude<Hit, { kind: "inside" }>, from: PointerInput): void {
    const grip = gripAt(shape.rings, hit.at, GRIP_PX * this.tool.scale());
    const change = (to: { x: number; y: number }) => moveGrip(shape.rings, grip, this.tool.onImage(to));
    this.tool.drag({ shape, from, action: "Resize", change, click: null, mark: false });
  }

  private reshape(shape: SelectedShape, hit: Exclude<Hit, { kind: "inside" }>, from: PointerInput): void {
    const added = hit.kind === "outline";
    const rings = added ? insertVertex(shape.rings, hit.place, hit.at) : shape.rings;
    const place = added ? { ...hit.place, vertex: hit.place.vertex + 1 } : hit.place;
    this.tool.drag({
      shape,
      from,
      action: added ? "Add Point" : "Move Point",
      change: (to) => moveVertex(rings, place, this.tool.onImage(to)),
      click: added ? rings : null,
      mark: true,
    });
  }
}
