import type { Ring } from "../../../../shared/entities/shape";
import type { PointerInput } from "../../canvas/view/pointer";
import { ToolState } from "../common/tool";
import { isFar, type SelectPort } from "./port";

/** Minimum distance between points of the loop, in screen pixels. */
const STEP_PX = 3;

/**
 * State after a press that begins a selection: a drag draws a loop around shapes, a click selects the shape under the
 * pointer.
 */
export class Lasso extends ToolState {
  readonly name = "lasso";
  private loop: Ring;
  private last: PointerInput;
  private isDrawn = false;

  constructor(
    private readonly tool: SelectPort,
    private readonly from: PointerInput,
  ) {
    super();
    this.loop = [from.image.x, from.image.y];
    this.last = from;
  }

  override move(input: PointerInput): void {
    this.isDrawn ||= isFar(input, this.from);
    const { screen } = this.last;
    if (Math.hypot(input.screen.x - screen.x, input.screen.y - screen.y) < STEP_PX) return;
    this.last = input;
    this.loop = [...this.loop, input.image.x, input.image.y];
    if (this.isDrawn) this.tool.showMarquee(this.loop);
  }

  override up(input: PointerInput): void {
    const { loop, isDrawn } = this;
    const adds = this.from.shift || this.from.control === true;
    this.tool.idle();
    if (isDrawn) this.tool.selectIn([...loop, input.image.x, input.image.y], adds);
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
