import { t } from "@lingui/core/macro";
import type { PointerInput } from "../../canvas/view/pointer";
import type { Point } from "../../canvas/view/view";
import { Idle } from "../common/Idle";
import { Machine } from "../common/machine";
import type { CursorPort, MessagePort, NotePort, PiecePort, TargetPort, WandPort } from "../common/ports";
import { SlowNote } from "../common/SlowNote";
import { type Sweeper, Sweeping } from "../common/Sweeping";
import type { ToolContext } from "../common/tool";
import type { WandOptions } from "./options";
import { WandGesture } from "./WandGesture";

type Ports = TargetPort &
  Pick<PiecePort, "showPiece" | "putPieceWhenReady"> &
  CursorPort &
  NotePort &
  Pick<MessagePort, "warn"> & { wand: WandPort };

/**
 * Collects regions of similar colour by click or drag; on release they are united with the selected annotation, or
 * subtracted with Shift or Alt. Regions are shown as soon as they are computed. While a region is being computed, only
 * the newest of the following points is remembered.
 */
export class WandTool extends Machine implements Sweeper {
  private gesture: WandGesture | null = null;
  private readonly slowNote: SlowNote;

  constructor(private readonly context: ToolContext<WandOptions, Ports>) {
    super("wand");
    this.slowNote = new SlowNote(context.ports, t`Looking for the region…`);
    this.become(new Idle(this));
    context.ports.wand.prepare();
  }

  press(input: PointerInput): void {
    const target = this.context.ports.target();
    if (!target) return;
    this.gesture = new WandGesture(input.shift || input.alt ? "subtract" : "unite", target);
    this.become(new Sweeping(this, "growing"));
    this.grow(this.gesture, input.image);
  }

  drag({ image }: PointerInput): void {
    const { gesture } = this;
    if (!gesture || this.isLost()) return;
    if (gesture.isNew(image)) this.grow(gesture, image);
  }

  finish(): void {
    const { gesture } = this;
    if (!gesture || this.isLost()) return;
    const { ports } = this.context;
    this.gesture = null;
    this.become(new Idle(this));
    ports.wand.end();
    ports.putPieceWhenReady(gesture.operation, gesture.finished(), gesture.piece);
  }

  cancel(): boolean {
    const had = this.gesture !== null;
    this.gesture = null;
    if (had) {
      this.context.ports.wand.end();
      this.context.ports.showPiece(null);
    }
    this.become(new Idle(this));
    return had;
  }

  undo(): boolean {
    return this.cancel();
  }

  removeLastPoint(): boolean {
    return this.cancel();
  }

  override exit(): void {
    super.exit();
    this.slowNote.close();
  }

  private grow(gesture: WandGesture, at: Point): void {
    const { ports, options } = this.context;
    const { threshold, blur } = options();
    this.slowNote.begin(at);
    void gesture.add(at, ports.wand.grow(at, { threshold, blur: Math.max(blur, 1) })).then((error) => {
      this.slowNote.end();
      if (error) this.fail(gesture, error);
      else if (gesture === this.gesture) ports.showPiece(gesture.piece);
    });
  }

  private fail(gesture: WandGesture, error: unknown): void {
    if (gesture === this.gesture) this.cancel();
    if (gesture.reportOnce())
      this.context.ports.warn(
        t`Magic Wand`,
        error instanceof Error ? error.message : t`The region could not be computed.`,
      );
  }

  /** Cancels the gesture and returns true if another annotation was selected since the press. */
  private isLost(): boolean {
    const isLost = this.context.ports.target() !== this.gesture?.target;
    if (isLost) this.cancel();
    return isLost;
  }
}
