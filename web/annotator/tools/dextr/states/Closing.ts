import type { PointerInput } from "../../../canvas/view/pointer";
import { Computing } from "./Computing";

/** The network is at work and its outline is taken as it comes: the next click begins another object. */
export class Closing extends Computing {
  override readonly name = "closing";

  override down(input: PointerInput): boolean {
    this.tool.part();
    return super.down(input);
  }

  override complete(): void {}
}
