import type { PointerInput } from "../../canvas/view/pointer";
import type { Point } from "../../canvas/view/view";
import { Drawing } from "../common/Drawing";
import { Idle } from "../common/Idle";
import { Machine } from "../common/machine";
import type { DrawPort, NotePort, ShapePort, SplitShapePort, StrokeOptions } from "../common/ports";
import type { ToolContext } from "../common/tool";
import { Pressing } from "./Pressing";
import type { SplitPort } from "./port";

type Ports = Pick<ShapePort, "selectedShape"> & Pick<DrawPort, "showDraft" | "strokeAt"> & NotePort & SplitShapePort;

/** Divides the selected annotation along a line: a drag, or clicks and Enter or a double click. */
export class SplitTool extends Machine implements SplitPort {
  private points: Point[] = [];
  private pointer: Point | null = null;
  /** Uuid of the annotation that the line was begun on. */
  private target: string | null = null;

  constructor(private readonly context: ToolContext<StrokeOptions, Ports>) {
    super("split");
    this.idle();
  }

  /** The line may begin and end outside the image, so that it can cross a shape at its edge. */
  press(input: PointerInput): void {
    const { ports } = this.context;
    const shape = ports.selectedShape();
    if (!shape || shape.rings.length === 0) {
      ports.showNote("Select the annotation to split first", input.image);
      return;
    }
    this.target = shape.uuid;
    this.points.push(input.image);
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
    this.points.push(image);
    this.complete();
  }

  /** Splits the annotation. Does nothing with fewer than two points. */
  complete(): void {
    const { points, target } = this;
    if (points.length < 2 || target === null) return;
    this.drop();
    this.context.ports.split(
      target,
      points.flatMap(({ x, y }) => [x, y]),
    );
  }

  cancel(): boolean {
    const had = this.points.length > 0;
    this.drop();
    return had;
  }

  removeLastPoint(): boolean {
    const had = this.points.pop() !== undefined;
    if (this.points.length === 0) this.drop();
    else this.drawing();
    this.show();
    return had;
  }

  undo(): boolean {
    return this.removeLastPoint();
  }

  /** Discards the line if another annotation has been selected. */
  override refresh(): void {
    if (this.target !== null && this.context.ports.selectedShape()?.uuid !== this.target) this.cancel();
    else this.show();
  }

  private idle(): void {
    this.become(new Idle(this));
  }

  private drop(): void {
    this.points = [];
    this.target = null;
    this.context.ports.showDraft(null);
    this.context.ports.showNote(null, null);
    this.idle();
  }

  private show(): void {
    const { ports, options } = this.context;
    const ring = this.points.flatMap(({ x, y }) => [x, y]);
    if (ring.length === 0) return;
    const guide = this.pointer;
    const last = guide ?? this.points.at(-1)!;
    ports.showDraft({ ring, closed: false, stroke: ports.strokeAt(last, options()), guide, target: false });
  }
}
