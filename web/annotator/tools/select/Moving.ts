import type { PointerInput } from "../../canvas/view/pointer";
import type { Move } from "../common/selectionPorts";
import { ToolState } from "../common/tool";
import { isFar, type SelectPort } from "./port";

/** State while all selected shapes follow the pointer; the document changes on release. */
export class Moving extends ToolState {
  readonly name = "moving";
  private hasMoved = false;
  private isCommitted = false;

  constructor(
    private readonly tool: SelectPort,
    private readonly from: PointerInput,
    private readonly shapes: Move,
  ) {
    super();
  }

  override move(input: PointerInput): void {
    const { image } = this.from;
    this.hasMoved ||= isFar(input, this.from);
    if (this.hasMoved) this.shapes.show({ x: input.image.x - image.x, y: input.image.y - image.y });
  }

  override up(input: PointerInput): void {
    const { clicks, image } = this.from;
    if (this.hasMoved) this.shapes.commit();
    this.isCommitted = this.hasMoved;
    this.tool.idle();
    if (!this.hasMoved && clicks === 2) this.tool.open(image);
    else if (!this.hasMoved) this.tool.pick(image);
    this.tool.look(input);
  }

  override exit(): void {
    if (this.hasMoved && !this.isCommitted) this.shapes.show({ x: 0, y: 0 });
    this.shapes.end();
  }

  override abort(): void {
    this.tool.idle();
  }

  override refresh(): void {
    if (this.shapes.isGone()) this.abort();
  }
}
