import type { PointerInput } from "../../../canvas/view/pointer";
import { ToolState } from "../../common/tool";
import type { DextrToolPort } from "./port";

/** Base of DEXTR's states. Every press sets a point; the meaning of keys depends on the state. */
export abstract class DextrState extends ToolState {
  constructor(protected readonly tool: DextrToolPort) {
    super();
  }

  override down(input: PointerInput): boolean {
    this.tool.press(input);
    return true;
  }

  /** Handles Enter. */
  complete(): void {}

  /** Handles Escape. Returns true if there was something to discard. */
  cancel(): boolean {
    this.tool.discardAll();
    return true;
  }

  /** Undoes the last point. Returns false if the history must undo instead. */
  undo(): boolean {
    return this.tool.undoPoint();
  }

  redo(): boolean {
    this.tool.redoPoint();
    return true;
  }
}
