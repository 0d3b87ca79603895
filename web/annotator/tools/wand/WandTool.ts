import type { PointerInput } from "../../canvas/view/pointer";
import type { Point } from "../../canvas/view/view";
import { Idle } from "../common/Idle";
import { Machine } from "../common/machine";
import { type Sweeper, Sweeping } from "../common/Sweeping";
import type { ToolContext } from "../common/tool";
import { Gathering } from "./Gathering";
import type { WandOptions } from "./options";

/** A computation that takes longer than this is spoken of. In milliseconds. */
const LONG_MS = 250;

/**
 * A click or drag gathers regions of like colour; on release all of them are united with the annotation in hand, or with
 * Shift taken from it. What is found is shown at once; what is asked for while a region is computed waits for its end,
 * and of such places only the newest counts.
 */
export class WandTool extends Machine implements Sweeper {
  private gathering: Gathering | null = null;
  /** Number of results that are still to come. */
  private computing = 0;
  private isPutDown = false;

  constructor(private readonly context: ToolContext<WandOptions>) {
    super("wand");
    this.become(new Idle(this));
    context.ports.wand.prepare();
  }

  press(input: PointerInput): void {
    const target = this.context.ports.target();
    if (!target) return;
    this.gathering = new Gathering(input.shift ? "subtract" : "unite", target);
    this.become(new Sweeping(this, "growing"));
    this.grow(this.gathering, input.image);
  }

  drag({ image }: PointerInput): void {
    const { gathering } = this;
    if (!gathering || this.isLost()) return;
    if (gathering.isNew(image)) this.grow(gathering, image);
  }

  finish(): void {
    const { gathering } = this;
    if (!gathering || this.isLost()) return;
    const { ports } = this.context;
    this.gathering = null;
    this.become(new Idle(this));
    ports.wand.end();
    ports.putComing(gathering.operation, gathering.whole(), gathering.piece);
  }

  cancel(): boolean {
    const had = this.gathering !== null;
    this.gathering = null;
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

  takeBack(): boolean {
    return this.cancel();
  }

  override exit(): void {
    super.exit();
    if (this.computing > 0) this.rest();
    this.isPutDown = true;
  }

  private grow(gathering: Gathering, at: Point): void {
    const { ports, options } = this.context;
    const { threshold, blur } = options();
    this.begin(at);
    void gathering.add(at, ports.wand.grow(at, { threshold, blur: Math.max(blur, 1) })).then((error) => {
      this.end();
      if (error) this.fail(gathering, error);
      else if (gathering === this.gathering) ports.showPiece(gathering.piece);
    });
  }

  /** The image may have to be read first, and a large region takes its time. */
  private begin(at: Point): void {
    const { ports } = this.context;
    ports.showCursor("progress");
    if (this.computing++ > 0) return;
    setTimeout(() => {
      if (this.computing > 0 && !this.isPutDown) ports.showNote("Looking for the region…", at);
    }, LONG_MS);
  }

  private end(): void {
    this.computing--;
    if (this.computing === 0 && !this.isPutDown) this.rest();
  }

  private rest(): void {
    this.context.ports.showCursor(null);
    this.context.ports.showNote(null, null);
  }

  private fail(gathering: Gathering, error: unknown): void {
    if (gathering === this.gathering) this.cancel();
    if (gathering.tellOnce())
      this.context.ports.warn(
        "Magic Wand",
        error instanceof Error ? error.message : "The region could not be computed.",
      );
  }

  /** Returns true if another annotation was selected since the press; then the gesture is given up. */
  private isLost(): boolean {
    const isLost = this.context.ports.target() !== this.gathering?.target;
    if (isLost) this.cancel();
    return isLost;
  }
}
