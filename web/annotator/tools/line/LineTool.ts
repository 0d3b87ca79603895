import type { Ring } from "../../../../shared/entities/shape";
import { ringOfLine } from "../../../../shared/geometry/lines/line";
import type { PointerInput } from "../../canvas/view/pointer";
import type { Point } from "../../canvas/view/view";
import type {
  DrawPort,
  MessagePort,
  ShapePort,
  SketchPoints,
  SnapPort,
  StrokeOptions,
  ViewPort,
} from "../common/ports";
import type { ToolContext } from "../common/tool";
import { PointsTool } from "../points/PointsTool";

type Ports = ViewPort & DrawPort & SnapPort & Pick<ShapePort, "showSpot"> & Pick<MessagePort, "remark">;

/** Draws a line, which becomes an annotation of its own. */
export class LineTool extends PointsTool<Ports> {
  constructor(context: ToolContext<StrokeOptions, Ports>) {
    super("line", context);
  }

  override pointAt(input: PointerInput | null): void {
    super.pointAt(input);
    const place = input && this.context.ports.snap(input.image);
    this.context.ports.showSpot(place && { x: place.x, y: place.y, kind: place.isVertex ? "vertex" : "outline" });
  }

  continueWith({ ring }: SketchPoints): void {
    this.points = ring.flatMap((x, i) => (i % 2 === 0 ? [{ x, y: ring[i + 1] ?? 0 }] : []));
    this.settle();
  }

  override cancel(): boolean {
    this.context.ports.discardSketch();
    return super.cancel();
  }

  protected override changed(): void {
    const ring = this.points.flatMap(({ x, y }) => [x, y]);
    const starts = this.points.map((_, i) => i);
    this.context.ports.keepSketch(ring.length > 0 ? { tool: "Line", ring, starts, startsNew: true } : null);
  }

  protected begins(): boolean {
    return this.points.length > 0 || this.context.ports.mayDraw();
  }

  protected placed(point: Point): Point {
    const { ports } = this.context;
    const place = ports.snap(point);
    return place ? { x: place.x, y: place.y } : ports.onImage(point);
  }

  /** Merges consecutive points at the same place. A line whose points are all at one place stays unfinished. */
  protected use(line: Ring, drop: () => void): void {
    const distinct = line.filter((_, i) => {
      const at = i - (i % 2);
      return at === 0 || line[at] !== line[at - 2] || line[at + 1] !== line[at - 1];
    });
    if (distinct.length < 4) return;
    drop();
    this.context.ports.draw([[ringOfLine(distinct)]], "figure");
  }

  protected override drop(): void {
    this.context.ports.showSpot(null);
    super.drop();
  }
}
