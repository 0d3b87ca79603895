import type { Box } from "../../canvas/shapes/shapes";
import type { PointerInput } from "../../canvas/view/pointer";
import type { Point } from "../../canvas/view/view";
import { ToolState } from "../common/tool";
import { isFar, type SelectPort } from "./port";

/**
 * State after a press that begins a selection: a drag draws a box around shapes, a click selects the shape under the
 * pointer.
 */
export class Marquee extends ToolState {
  readonly name = "marquee";
  private box: Box | null = null;

  constructor(
    private readonly tool: SelectPort,
    private readonly from: PointerInput,
  ) {
    super();
  }

  override move(input: PointerInput): void {
    if (!this.box && !isFar(input, this.from)) return;
    this.box = boxOf(this.from.image, input.image);
    this.tool.showMarquee(this.box);
  }

  override up(input: PointerInput): void {
    const { box } = this;
    const adds = this.from.shift || this.from.control === true;
    this.tool.idle();
    if (box) this.tool.selectIn(box, adds);
    else if (adds) this.tool.toggle(this.from.image);
    else this.tool.pick(this.from.image);
    this.tool.look(input);
  }

  override exit(): void {
    this.tool.showMarquee(null);
  }

  override abort(): void {
    this.tool.idle();
  }
}

function boxOf(a: Point, b: Point): Box {
  return { minX: Math.min(a.x, b.x), minY: Math.min(a.y, b.y), maxX: Math.max(a.x, b.x), maxY: Math.max(a.y, b.y) };
}
