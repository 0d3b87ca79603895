import type { Rings } from "../../../../shared/entities/shape";
import { handleOf, middleOf, rotatedBoxOf, turnableBox } from "../../../../shared/geometry/forms/rotatedBox";
import { hitTest } from "../../../../shared/geometry/hit";
import { TURN_HANDLE_PX } from "../../canvas/active/turnHandle";
import type { PointerInput } from "../../canvas/view/pointer";
import type { Point } from "../../canvas/view/view";
import type { KeypointPorts, PlacedKeypoint } from "../common/keypointPorts";
import { MovingKeypoint } from "../common/MovingKeypoint";
import { Machine } from "../common/machine";
import type { CursorPort, PickPort, SelectedShape, ShapePort, SnapPort, TargetPort, ViewPort } from "../common/ports";
import type { Area, SelectionPorts } from "../common/selectionPorts";
import type { ToolContext } from "../common/tool";
import { Cycle } from "./Cycle";
import { Dragging } from "./Dragging";
import { Idle } from "./Idle";
import { Lasso } from "./Lasso";
import { Marquee } from "./Marquee";
import { Moving } from "./Moving";
import { type Drag, GRIP_PX, type Hit, type SelectPort } from "./port";
import { type Grip, gripAt } from "./reshape";

export interface SelectOptions {
  /** Shows the name of the annotation under the pointer. */
  showText: boolean;
  /** True if a drag draws a loop around shapes and Alt+drag a box; false for the reverse. */
  lasso: boolean;
}

/** Hit distances in screen pixels; fingers are less precise. */
const REACH = { mouse: { vertex: 9, outline: 6, keypoint: 8 }, touch: { vertex: 18, outline: 12, keypoint: 16 } };

type Ports = ViewPort &
  PickPort &
  TargetPort &
  ShapePort &
  SnapPort &
  CursorPort & { keypoints: KeypointPorts; selection: SelectionPorts };

/**
 * Selects annotations, moves the selected ones, and edits the vertices, the outline and the keypoints of a single one.
 */
export class SelectTool extends Machine implements SelectPort {
  private readonly cycle = new Cycle();
  private reach = REACH.mouse;
  private dragging = false;
  /**
   * The annotation whose part is dragged; undefined while all selected ones are moved, or while a box or a loop is
   * drawn.
   */
  private draggedUuid: string | undefined;
  /** The shape whose part is dragged; null during other gestures. */
  private draggedShape: SelectedShape | null = null;
  /** The pointer's last position, while it is over the canvas. */
  private pointer: PointerInput | null = null;

  constructor(private readonly context: ToolContext<SelectOptions, Ports>) {
    super("select");
    this.idle();
  }

  override down(input: PointerInput): boolean {
    this.reach = input.kind === "touch" ? REACH.touch : REACH.mouse;
    return super.down(input);
  }

  selectedShape(): SelectedShape | null {
    return this.context.ports.selectedShape();
  }

  scale(): number {
    return this.context.ports.scale();
  }

  onImage(point: Point): Point {
    return this.context.ports.onImage(point);
  }

  snapped(point: Point): Point {
    const place = this.context.ports.snap(point);
    return place ? { x: place.x, y: place.y } : this.onImage(point);
  }

  /**
   * Returns the part of the selected shape at a point. If several shapes are selected, only their inside can be hit.
   */
  hitAt({ x, y }: Point): Hit | null {
    const { selection } = this.context.ports;
    if (selection.isMany()) return selection.isSelectedAt({ x, y }) ? { kind: "inside" } : null;
    const shape = this.selectedShape();
    const scale = this.scale();
    const { vertex, outline } = this.reach;
    if (shape && this.isOnHandle(shape, { x, y })) return { kind: "turn" };
    const hit = shape && hitTest(shape.rings, x, y, { vertex: vertex * scale, outline: outline * scale });
    if (!hit || hit.kind === "inside") return hit;
    const { polygon, ring } = hit;
    if (hit.kind === "outline")
      return { kind: "outline", place: { polygon, ring, vertex: hit.after }, at: { x: hit.x, y: hit.y } };
    const flat = shape.rings[polygon]![ring]!;
    const at = { x: flat[2 * hit.vertex]!, y: flat[2 * hit.vertex + 1]! };
    return { kind: "vertex", place: { polygon, ring, vertex: hit.vertex }, at };
  }

  private isOnHandle({ rings, isbbox }: SelectedShape, point: Point): boolean {
    const box = turnableBox(rings, isbbox);
    if (!box) return false;
    const { to } = handleOf(box, TURN_HANDLE_PX * this.scale());
    return distance(to, point) <= this.reach.vertex * this.scale();
  }

  get keypoints(): KeypointPorts {
    return this.context.ports.keypoints;
  }

  /** Returns the keypoint at a point, unless a vertex of the selected shape is nearer. */
  keypointAt(point: Point): PlacedKeypoint | null {
    if (this.context.ports.selection.isMany()) return null;
    const spot = this.keypoints.at(point, this.reach.keypoint * this.scale());
    const hit = spot && this.hitAt(point);
    const isNearer = hit?.kind === "vertex" && distance(hit.at, point) < distance(spot!, point);
    return isNearer ? null : spot;
  }

  moveKeypoint(spot: PlacedKeypoint, from: PointerInput): void {
    this.dragging = true;
    this.draggedUuid = this.selectedShape()?.uuid ?? "";
    this.keypoints.hover(null, null);
    this.become(new MovingKeypoint(this, spot, from));
  }

  /**
   * Updates the highlight under the pointer. Aborts a drag of a shape that is no longer selected, or that the user's own
   * edit has changed. A drag goes on if another user changes the shape, see ShapePort.reshape.
   */
  override refresh(): void {
    if (!this.dragging) this.look(this.pointer);
    else if (this.draggedUuid === undefined) super.refresh();
    else if ((this.selectedShape()?.uuid ?? "") !== this.draggedUuid) this.abort();
    else if (this.draggedShape && !this.mayReshape(this.draggedShape)) this.abort();
  }

  undo(): boolean {
    return this.dragging && this.cancel();
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
    const hit = input && this.hitAt(input.image);
    const mark = hit && "place" in hit ? hit : null;
    const removes = input?.shift && mark?.kind === "vertex" && !this.selectedShape()?.isbbox;
    ports.showSpot(mark && { ...mark.at, kind: removes ? "delete" : mark.kind });
    const uuid = input && !mark ? this.under(input.image) : null;
    ports.hover(uuid, uuid && input && options().showText ? input.image : null);
    ports.showCursor(this.cursorOf(hit, uuid));
  }

  /**
   * Returns the cursor for the action of a press. Inside the selected shape, a press moves it, even where another shape
   * lies above.
   */
  private cursorOf(hit: Hit | null, under: string | null): string | null {
    if (!hit) return under ? "pointer" : null;
    if (hit.kind === "inside") return "move";
    if (hit.kind === "turn") return "grab";
    const shape = this.selectedShape();
    const rotated = shape && rotatedBoxOf(shape.rings);
    if (rotated) return cursorToward(hit.at, middleOf(rotated));
    if (!shape?.isbbox) return "crosshair";
    return resizeCursor(gripAt(shape.rings, hit.at, GRIP_PX * this.scale()));
  }

  /** Selects the annotation under a point; a repeated click at the same place selects the next one there. */
  pick(point: Point): void {
    const { ports } = this.context;
    const selected = ports.selection.isMany() ? null : ports.target();
    const named = ports.namedAt(point);
    const found = ports.allAt(point);
    const all = named === null ? found : [named, ...found.filter((uuid) => uuid !== named)];
    ports.select(this.cycle.next(point, all, selected, this.scale()));
    this.refresh();
  }

  /** Returns the annotation that a click selects first: one whose name is there, otherwise one whose shape is. */
  private under(point: Point): string | null {
    const { ports } = this.context;
    return ports.namedAt(point) ?? ports.at(point);
  }

  toggle(point: Point): void {
    const { ports } = this.context;
    const uuid = this.under(point);
    if (uuid !== null) ports.selection.toggle(uuid);
  }

  isOnEmptyImage(point: Point): boolean {
    const { ports } = this.context;
    return ports.at(point) === null && ports.selection.isOnImage(point);
  }

  startMarquee(from: PointerInput): void {
    this.begin(undefined);
    this.context.ports.showCursor("crosshair");
    this.become(from.alt === this.usesLasso ? new Marquee(this, from) : new Lasso(this, from));
  }

  get usesLasso(): boolean {
    return this.context.options().lasso;
  }

  showMarquee(area: Area | null): void {
    this.context.ports.selection.showMarquee(area);
  }

  selectIn(area: Area, adds: boolean): void {
    this.context.ports.selection.selectIn(area, adds);
  }

  startMove(from: PointerInput): boolean {
    const move = this.context.ports.selection.beginMove();
    if (!move) return false;
    this.begin(undefined);
    this.become(new Moving(this, from, move));
    return true;
  }

  /** Opens the settings of the annotation at a point, or selects it alone if its whole group is selected. */
  open(point: Point): void {
    const { ports } = this.context;
    const isGroup = ports.selection.isMany();
    ports.select(this.cycle.doubled(point, ports.allAt(point), this.scale()));
    this.refresh();
    if (isGroup) return;
    const shape = this.selectedShape();
    if (shape) this.context.ports.openSettings(shape.uuid);
  }

  drag(drag: Drag): void {
    if (!this.mayReshape(drag.shape)) return;
    this.begin(drag.shape.uuid, drag.mark);
    this.draggedShape = drag.shape;
    this.become(new Dragging(this, drag));
  }

  /** Marks the beginning of a drag. `keepsSpot`: true if the highlighted spot stays visible. */
  private begin(uuid: string | undefined, keepsSpot = false): void {
    this.dragging = true;
    this.draggedUuid = uuid;
    this.context.ports.hover(null, null);
    if (!keepsSpot) this.context.ports.showSpot(null);
  }

  mayReshape(shape: SelectedShape): boolean {
    return this.context.ports.mayReshape(shape);
  }

  preview(rings: Rings | null): void {
    this.context.ports.preview(rings);
    if (rings) this.context.ports.showSpot(null);
  }

  commit(shape: SelectedShape, rings: Rings, action: string): void {
    this.context.ports.reshape(shape, rings, action);
  }

  idle(): void {
    this.dragging = false;
    this.draggedShape = null;
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

/** Returns the cursor for a drag toward a point and away from it. */
function cursorToward(from: Point, to: Point): string {
  const eighth = Math.round((4 * Math.atan2(to.y - from.y, to.x - from.x)) / Math.PI + 8) % 4;
  return ["ew-resize", "nwse-resize", "ns-resize", "nesw-resize"][eighth]!;
}

function resizeCursor({ x, y }: Grip): string {
  if (x === 0) return "ns-resize";
  if (y === 0) return "ew-resize";
  return x === y ? "nwse-resize" : "nesw-resize";
}
