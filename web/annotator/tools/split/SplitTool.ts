import { t } from "@lingui/core/macro";
import type { Ring } from "../../../../shared/entities/shape";
import type { PointerInput } from "../../canvas/view/pointer";
import type { Point } from "../../canvas/view/view";
import type { DrawPort, MessagePort, NotePort, ShapePort, SplitShapePort, StrokeOptions } from "../common/ports";
import type { ToolContext } from "../common/tool";
import { PointsTool } from "../points/PointsTool";

type Ports = Pick<ShapePort, "selectedShape"> &
  Pick<DrawPort, "showDraft" | "strokeAt"> &
  NotePort &
  SplitShapePort &
  Pick<MessagePort, "remark">;

/** Splits the selected annotation along a line. */
export class SplitTool extends PointsTool<Ports> {
  /** Uuid of the annotation that the line was begun on. */
  private target: string | null = null;

  constructor(context: ToolContext<StrokeOptions, Ports>) {
    super("split", context);
  }

  /** Discards the line if another annotation has been selected. */
  override refresh(): void {
    if (this.target !== null && this.context.ports.selectedShape()?.uuid !== this.target) this.cancel();
    else super.refresh();
  }

  protected begins(input: PointerInput): boolean {
    const { ports } = this.context;
    const shape = ports.selectedShape();
    if (!shape || shape.rings.length === 0) {
      ports.showNote(t`First select the annotation to split`, input.image);
      return false;
    }
    this.target = shape.uuid;
    return true;
  }

  /** The line may begin and end outside the image, so that it can cross a shape at the image's edge. */
  protected placed(point: Point): Point {
    return point;
  }

  protected use(line: Ring, drop: () => void): void {
    const { target } = this;
    drop();
    if (target !== null) this.context.ports.split(target, line);
  }

  protected override drop(): void {
    this.target = null;
    this.context.ports.showNote(null, null);
    super.drop();
  }
}
