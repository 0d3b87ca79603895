import type { Rings } from "../../../../shared/entities/shape";
import type { PointerInput } from "../../canvas/view/pointer";
import { ToolState } from "../common/tool";
import type { Drag, SelectPort } from "./port";

/** A press that moves less than this is a click, not a drag. In screen pixels. */
const CLICK_PX = 3;

/** State while a vertex, a side of a box or the whole shape follows the pointer; the document changes on release. */
export class Dragging extends ToolState {
  readonly name = "dragging";
  private rings: Rings | null = null;

  constructor(
    private readonly tool: SelectPort,
    private readonly drag: Drag,
  ) {
    super();
  }

  override enter(): void {
    if (this.drag.click) this.tool.preview(this.drag.click);
  }

  override move({ image, screen }: PointerInput): void {
    const { from, change } = this.drag;
    const far = Math.hypot(screen.x - from.screen.x, screen.y - from.screen.y) >= CLICK_PX;
    if (!this.rings && !far) return;
    this.rings = change(image);
    this.tool.preview(this.rings);
  }

  override up(input: PointerInput): void {
    const { shape, action, click, from } = this.drag;
    const rings = this.rings ?? click;
    this.tool.idle();
    if (rings) this.tool.commit(shape, rings, action);
    else if (action === "Move" && from.clicks === 2) this.tool.open(from.image);
    else if (action === "Move") this.tool.pick(from.image);
    this.tool.look(input);
  }

  override exit(): void {
    this.tool.preview(null);
  }

  override abort(): void {
    this.tool.idle();
  }
}
