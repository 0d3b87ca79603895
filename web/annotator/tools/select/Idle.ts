import type { PointerInput } from "../../canvas/view/pointer";
import { type InHand, ToolState } from "../common/tool";
import { GRIP_PX, type Hold, type SelectPort } from "./port";
import { deleteVertex, gripAt, insertVertex, moveGrip, moveShape, moveVertex } from "./reshape";

/** Nothing is held: looks at what is under the pointer, and decides what a press means. */
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
    const hand = this.tool.inHand();
    const hold = hand && this.tool.holdAt(input.image);
    if (!hand || !hold) return false;
    if (hold.kind === "inside") this.moveWhole(hand, input);
    else if (input.shift) this.remove(hand, hold);
    else if (hand.isbbox) this.resize(hand, hold, input);
    else this.reshape(hand, hold, input);
    return true;
  }

  override click({ image }: PointerInput): void {
    this.tool.pick(image);
  }

  private moveWhole(hand: InHand, from: PointerInput): void {
    const { x, y } = from.image;
    this.tool.drag({
      hand,
      from,
      action: "Move",
      change: (to) => moveShape(hand.rings, { x: to.x - x, y: to.y - y }, (point) => this.tool.onImage(point)),
      click: null,
      mark: false,
    });
  }

  /** Shift on a vertex deletes it. Elsewhere on the outline, and on a box, it does nothing. */
  private remove(hand: InHand, hold: Exclude<Hold, { kind: "inside" }>): void {
    const rings = hold.kind === "vertex" && !hand.isbbox ? deleteVertex(hand.rings, hold.place) : null;
    if (rings) this.tool.commit(hand, rings, "Delete Point");
  }

  private resize(hand: InHand, hold: Exclude<Hold, { kind: "inside" }>, from: PointerInput): void {
    const grip = gripAt(hand.rings, hold.at, GRIP_PX * this.tool.scale());
    const change = (to: { x: number; y: number }) => moveGrip(hand.rings, grip, this.tool.onImage(to));
    this.tool.drag({ hand, from, action: "Resize", change, click: null, mark: false });
  }

  private reshape(hand: InHand, hold: Exclude<Hold, { kind: "inside" }>, from: PointerInput): void {
    const added = hold.kind === "outline";
    const rings = added ? insertVertex(hand.rings, hold.place, hold.at) : hand.rings;
    const place = added ? { ...hold.place, vertex: hold.place.vertex + 1 } : hold.place;
    this.tool.drag({
      hand,
      from,
      action: added ? "Add Point" : "Move Point",
      change: (to) => moveVertex(rings, place, this.tool.onImage(to)),
      click: added ? rings : null,
      mark: true,
    });
  }
}
