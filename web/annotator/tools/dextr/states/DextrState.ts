import type { PointerInput } from "../../../canvas/view/pointer";
import { ToolState } from "../../common/tool";
import type { DextrToolPort } from "./port";

/** A state of DEXTR between presses. Every press sets a point; what keys mean differs. */
export abstract class DextrState extends ToolState {
  constructor(protected readonly tool: DextrToolPort) {
    super();
  }

  override down(input: PointerInput): boolean {
    this.tool.press(input);
    return true;
  }

  /** Enter. */
  complete(): void {}

  /** Escape. Returns true if there was something to give up. */
  cancel(): boolean {
    this.tool.drop();
    return true;
  }

  /** Returns true if the tool had something of its own to take back. */
  undo(): boolean {
    return this.tool.undoPoint();
  }

  redo(): boolean {
    this.tool.redoPoint();
    return true;
  }
}
