import type { PointerInput } from "../../../canvas/view/pointer";
import { Computing } from "./Computing";

/** State in which the outline is accepted as soon as it is computed: the next click begins another object. */
export class Closing extends Computing {
  override readonly name = "closing";

  override down(input: PointerInput): boolean {
    this.tool.finishObject();
    return super.down(input);
  }

  override complete(): void {}
}
