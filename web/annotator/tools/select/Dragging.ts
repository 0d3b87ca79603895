import type { Rings } from "../../../../shared/entities/shape";
import type { PointerInput } from "../../canvas/view/pointer";
import { ToolState } from "../common/tool";
import { type Drag, isFar, type SelectPort } from "./port";

/** State while a vertex or a side of a box follows the pointer; the document changes on release. */
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

  override move(input: PointerInput): void {
    const { from, change } = this.drag;
    if (!this.rings && !isFar(input, from)) return;
    this.rings = change(input.image, input.shift);
    this.tool.preview(this.rings);
  }

  override up(input: PointerInput): void {
    const { shape, click, isBox } = this.drag;
    const rings = this.rings ?? click;
    const action = this.rings ? this.drag.action : (this.drag.clickAction ?? this.drag.action);
    this.tool.idle();
    if (rings) this.tool.commit(isBox ? { ...shape, isbbox: isBox(rings) } : shape, rings, action);
    this.tool.look(input);
  }

  override exit(): void {
    this.tool.preview(null);
  }

  override abort(): void {
    this.tool.idle();
  }
}
