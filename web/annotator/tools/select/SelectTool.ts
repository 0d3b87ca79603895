import type { Rings } from "../../../../shared/entities/shape";
import { hitTest } from "../../../../shared/geometry/hit";
import type { PointerInput } from "../../canvas/view/pointer";
import type { Point } from "../../canvas/view/view";
import type { KeypointPorts, PlacedKeypoint } from "../common/keypointPorts";
import { MovingKeypoint } from "../common/MovingKeypoint";
import { Machine } from "../common/machine";
import type { InHand, ToolContext } from "../common/tool";
import { Dragging } from "./Dragging";
import { Idle } from "./Idle";
import { type Drag, GRIP_PX, type Hold, type SelectPort } from "./port";
import { type Grip, gripAt } from "./reshape";

export interface SelectOptions {
  /** Names the annotation under the pointer beside it. */
  showText: boolean;
}

/** Hit distance in screen pixels; fingers are broader. */
const REACH = { mouse: { vertex: 9, outline: 6, keypoint: 8 }, touch: { vertex: 18, outline: 12, keypoint: 16 } };

/** Chooses annotations and changes the one in hand: its vertices, its outline, its place. */
export class SelectTool extends Machine implements SelectPort {
  private reach = REACH.mouse;
  private dragging = false;
  /** As it was when the drag began. */
  private held: InHand | null = null;
  /** The pointer's last position, while it is over the canvas. */
  private pointer: PointerInput | null = null;

  constructor(private readonly context: ToolContext<SelectOptions>) {
    super("select");
    this.idle();
  }

  override down(input: PointerInput): boolean {
    this.reach = input.kind === "touch" ? REACH.touch : REACH.mouse;
    return super.down(input);
  }

  inHand(): InHand | null {
    return this.context.ports.inHand();
  }

  scale(): number {
    return this.context.ports.scale();
  }

  onImage(point: Point): Point {
    return this.context.ports.onImage(point);
  }

  holdAt({ x, y }: Point): Hold | null {
    const hand = this.inHand();
    const scale = this.scale();
    const { vertex, outline } = this.reach;
    const hit = hand && hitTest(hand.rings, x, y, { vertex: vertex * scale, outline: outline * scale });
    if (!hit || hit.kind === "inside") return hit;
    const { polygon, ring } = hit;
    if (hit.kind === "outline")
      return { kind: "outline", place: { polygon, ring, vertex: hit.after }, at: { x: hit.x, y: hit.y } };
    const flat = hand.rings[polygon]![ring]!;
    const at = { x: flat[2 * hit.vertex]!, y: flat[2 * hit.vertex + 1]! };
    return { kind: "vertex", place: { polygon, ring, vertex: hit.vertex }, at };
  }

  get keypoints(): KeypointPorts {
    return this.context.ports.keypoints;
  }

  /** A vertex that is nearer than the keypoint keeps its handle. */
  keypointAt(point: Point): PlacedKeypoint | null {
    const spot = this.keypoints.at(point, this.reach.keypoint * this.scale());
    const hold = spot && this.holdAt(point);
    const isNearer = hold?.kind === "vertex" && distance(hold.at, point) < distance(spot!, point);
    return isNearer ? null : spot;
  }

  moveKeypoint(spot: PlacedKeypoint, from: PointerInput): void {
    this.dragging = true;
    this.held = this.inHand();
    this.keypoints.hover(null, null);
    this.become(new MovingKeypoint(this, spot, from));
  }

  /** Finds the target under the pointer again. A dragged shape must still be what it was at the press. */
  override refresh(): void {
    if (!this.dragging) this.look(this.pointer);
    else if (this.isLost()) this.abort();
  }

  undo(): boolean {
    return this.dragging && this.cancel();
  }

  private isLost(): boolean {
    const hand = this.inHand();
    return hand?.uuid !== this.held?.uuid || hand?.source !== this.held?.source;
  }

  look(input: PointerInput | null): void {
    this.pointer = input;
    const { ports, options } = this.context;
    const keypoint = input && this.keypointAt(input.image);
    if (input && keypoint) {
      ports.showSpot(null);
      ports.hover(null, null);
      ports.keypoints.hover(keypoint.label, options().showText ? input.image : null);
      ports.showCursor("pointer");
      return;
    }
    ports.keypoints.hover(null, null);
    const hold = input && this.holdAt(input.image);
    const mark = hold && hold.kind !== "inside" ? hold : null;
    const removes = input?.shift && mark?.kind === "vertex" && !this.inHand()?.isbbox;
    ports.showSpot(mark && { ...mark.at, kind: removes ? "delete" : mark.kind });
    const uuid = input && !mark ? ports.at(input.image) : null;
    ports.hover(uuid, uuid && input && options().showText ? input.image : null);
    ports.showCursor(this.cursorOf(hold, uuid));
  }

  /** Returns the effect of a press: resize, move, choose. A press on another shape within the one in hand moves the latter. */
  private cursorOf(hold: Hold | null, under: string | null): string | null {
    if (!hold) return under ? "pointer" : null;
    if (hold.kind === "inside") return "move";
    const hand = this.inHand();
    if (!hand?.isbbox) return "crosshair";
    return resizeCursor(gripAt(hand.rings, hold.at, GRIP_PX * this.scale()));
  }

  pick(point: Point): void {
    this.context.ports.select(this.context.ports.at(point));
    this.refresh();
  }

  open(point: Point): void {
    this.pick(point);
    const hand = this.inHand();
    if (hand) this.context.ports.openSettings(hand.uuid);
  }

  drag(drag: Drag): void {
    this.dragging = true;
    this.held = drag.hand;
    this.context.ports.hover(null, null);
    if (!drag.mark) this.context.ports.showSpot(null);
    this.become(new Dragging(this, drag));
  }

  preview(rings: Rings | null): void {
    this.context.ports.preview(rings);
    if (rings) this.context.ports.showSpot(null);
  }

  commit({ uuid, isbbox }: InHand, rings: Rings, action: string): void {
    this.context.ports.reshape(uuid, rings, isbbox, action);
  }

  idle(): void {
    this.dragging = false;
    this.become(new Idle(this));
  }

  override exit(): void {
    this.pointer = null;
    super.exit();
  }

  cancel(): boolean {
    const had = this.dragging;
    this.context.ports.showSpot(null);
    this.keypoints.hover(null, null);
    this.context.ports.hover(null, null);
    this.context.ports.showCursor(null);
    this.idle();
    return had;
  }
}

const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

function resizeCursor({ x, y }: Grip): string {
  if (x === 0) return "ns-resize";
  if (y === 0) return "ew-resize";
  return x === y ? "nwse-resize" : "nesw-resize";
}
