import { t } from "@lingui/core/macro";
import type { Ring } from "../../../../shared/entities/shape";
import type { PointerInput } from "../../canvas/view/pointer";
import type { Point } from "../../canvas/view/view";
import { Drawing } from "../common/Drawing";
import { Idle } from "../common/Idle";
import { Machine } from "../common/machine";
import type { DrawPort, MessagePort, StrokeOptions } from "../common/ports";
import { isRepeatedPress } from "../common/presses";
import type { ToolContext } from "../common/tool";
import { Pressing } from "./Pressing";
import type { PointsPort } from "./port";

type Ports = Pick<DrawPort, "showDraft" | "strokeAt"> & Pick<MessagePort, "remark">;

/** Base of tools that draw an open line: with a drag, or with clicks that end with Enter or a double click. */
export abstract class PointsTool<P extends Ports> extends Machine implements PointsPort {
  protected points: Point[] = [];
  /** Points removed by undo, for redo. */
  private undone: Point[] = [];
  private pointer: Point | null = null;

  protected constructor(
    name: string,
    protected readonly context: ToolContext<StrokeOptions, P>,
  ) {
    super(name);
    this.idle();
  }

  press(input: PointerInput): void {
    if (this.points.length === 0 && isRepeatedPress(input)) return;
    if (!this.begins(input)) return;
    this.points.push(this.placed(input.image));
    this.undone = [];
    this.changed();
    this.pointAt(input);
    this.become(new Pressing(this, input));
  }

  pointAt(input: PointerInput | null): void {
    this.pointer = input?.image ?? null;
    this.show();
  }

  drawing(): void {
    this.become(new Drawing(this));
  }

  finish({ image }: PointerInput): void {
    this.points.push(this.placed(image));
    this.complete();
  }

  /** Completes the line. With fewer than two points, only tells the user. */
  complete(): void {
    const { points } = this;
    if (points.length === 1) this.context.ports.remark(t`A line needs at least two points.`);
    if (points.length < 2) return;
    this.use(
      points.flatMap(({ x, y }) => [x, y]),
      () => this.drop(),
    );
  }

  cancel(): boolean {
    const had = this.points.length > 0;
    this.drop();
    return had;
  }

  removeLastPoint(): boolean {
    const point = this.points.pop();
    this.undone = [];
    this.settle();
    return point !== undefined;
  }

  undo(): boolean {
    const point = this.points.pop();
    if (point) this.undone.push(point);
    const { undone } = this;
    this.settle();
    this.undone = point ? undone : [];
    return point !== undefined;
  }

  redo(): boolean {
    const point = this.undone.pop();
    if (point) this.points.push(point);
    this.settle();
    return point !== undefined || this.points.length > 0;
  }

  override refresh(): void {
    this.show();
  }

  /** Returns true if a press may set a point; otherwise shows the user why not. */
  protected abstract begins(input: PointerInput): boolean;

  /** Returns the place of the point that a press at a pointer position sets. */
  protected abstract placed(point: Point): Point;

  /** Uses the complete line. `drop` clears the line; until `drop` is called, the line stays unfinished. */
  protected abstract use(line: Ring, drop: () => void): void;

  /** Called after points were added or removed. */
  protected changed(): void {}

  protected drop(): void {
    this.points = [];
    this.undone = [];
    this.changed();
    this.context.ports.showDraft(null);
    this.idle();
  }

  private idle(): void {
    this.become(new Idle(this));
  }

  protected settle(): void {
    const { undone } = this;
    if (this.points.length === 0) this.drop();
    else {
      this.changed();
      this.drawing();
    }
    this.undone = undone;
    this.show();
  }

  private show(): void {
    const { ports, options } = this.context;
    const ring = this.points.flatMap(({ x, y }) => [x, y]);
    if (ring.length === 0) return;
    const guide = this.pointer && this.placed(this.pointer);
    const last = guide ?? this.points.at(-1)!;
    ports.showDraft({ ring, closed: false, stroke: ports.strokeAt(last, options()), guide, target: false });
  }
}
