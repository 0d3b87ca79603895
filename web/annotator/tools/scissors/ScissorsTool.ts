import { t } from "@lingui/core/macro";
import { Rerun } from "../../../../shared/async/rerun";
import { SerialQueue } from "../../../../shared/async/serialQueue";
import type { Ring, Rings } from "../../../../shared/entities/shape";
import type { Place } from "../../../../shared/scissors/liveWire";
import { withoutSpurs } from "../../../../shared/scissors/withoutSpurs";
import type { PointerInput } from "../../canvas/view/pointer";
import { Drawing } from "../common/Drawing";
import { heldOperation } from "../common/heldOperation";
import { Idle } from "../common/Idle";
import { Machine } from "../common/machine";
import type { CursorPort, DrawPort, MessagePort, NotePort, ScissorsPort, ViewPort } from "../common/ports";
import { isRepeatedPress } from "../common/presses";
import { SlowNote } from "../common/SlowNote";
import type { ToolContext } from "../common/tool";
import { Outline } from "./Outline";
import type { ScissorsOptions } from "./options";
import { Pressing } from "./Pressing";
import type { ScissorsToolPort } from "./port";

/**
 * Distance from the first anchor within which a click closes the outline, in screen pixels; fingers are less precise.
 */
const CLOSE_PX = { mouse: 9, pen: 9, touch: 18 };
const LEAST_ANCHORS = 3;

type Ports = ViewPort & DrawPort & NotePort & CursorPort & Pick<MessagePort, "warn"> & { scissors: ScissorsPort };

/**
 * Draws an outline along borders in the image, from anchor to anchor. The line to the pointer is shown all the time.
 * The closed outline is united with the selected annotation, or cut out of it if Alt was held at the first anchor.
 */
export class ScissorsTool extends Machine implements ScissorsToolPort {
  /** The unfinished outline. Closed ones are still being computed, until the drawing queue has them. */
  private outline = new Outline();
  /** The line from the last anchor to the pointer. */
  private live: Ring | null = null;
  private pointer: PointerInput | null = null;
  private readonly lines = new SerialQueue();
  private readonly previews = new Rerun(() => this.preview());
  private readonly slowNote: SlowNote;

  constructor(private readonly context: ToolContext<ScissorsOptions, Ports>) {
    super("scissors");
    this.slowNote = new SlowNote(context.ports, t`Looking for borders…`);
    this.wait();
    context.ports.scissors.prepare();
  }

  wait(): void {
    this.become(this.outline.count > 0 ? new Drawing(this) : new Idle(this));
  }

  press(input: PointerInput): void {
    const isFirst = this.outline.count === 0;
    if (isFirst) {
      if (isRepeatedPress(input)) return;
      const operation = heldOperation(input);
      if (!this.context.ports.mayDraw(operation)) return;
      this.outline.operation = operation;
      this.add(this.placeOf(input), false);
    }
    this.pointAt(input);
    this.become(new Pressing(this, input, isFirst));
  }

  pointAt(input: PointerInput | null): void {
    this.pointer = input;
    void this.previews.request();
    this.show();
  }

  anchor(input: PointerInput): void {
    if (this.closesAt(input)) this.complete();
    else this.add(this.placeOf(input), input.shift);
  }

  /**
   * Closes the outline and hands it over as it is now, even if its lines are still being computed: the next press begins
   * another one. Does nothing with fewer than three anchors.
   */
  complete(): void {
    const { outline } = this;
    if (outline.count < LEAST_ANCHORS) return;
    const closed = this.lines.add(() => this.closed(outline));
    this.begin();
    this.context.ports.drawWhenReady(outline.operation, closed, [[outline.ring]]);
  }

  continueWith({ ring, starts }: { ring: Ring; starts: readonly number[] }): void {
    this.outline.wire.restore(ring, starts);
    this.settle();
  }

  cancel(): boolean {
    const had = this.outline.count > 0;
    this.context.ports.discardSketch();
    this.outline.discard();
    this.begin();
    return had;
  }

  removeLastPoint(): boolean {
    const had = this.outline.dropLast();
    if (had) this.settle();
    return had;
  }

  /**
   * Undoes the last anchor. Without one, drops the undone anchors: undo then goes to an earlier step of the history,
   * and redo must restore that step, not these anchors.
   */
  undo(): boolean {
    const had = this.outline.undoLast();
    if (had) this.settle();
    else this.outline.wire.clear();
    return had;
  }

  redo(): boolean {
    const had = this.outline.wire.redo();
    if (had) this.settle();
    return had || this.outline.count > 0;
  }

  override refresh(): void {
    this.show();
  }

  override exit(): void {
    super.exit();
    this.slowNote.close();
  }

  private add(at: Place, isStraight: boolean): void {
    const { outline } = this;
    outline.expect(at);
    this.show();
    void this.lines.add(async () => {
      if (!outline.isNext(at)) return;
      const { last } = outline.wire;
      const line = isStraight && last ? [...last, ...at] : await this.line(outline, last, at, this.reach());
      if (!outline.isNext(at)) return;
      outline.add(line);
      if (outline === this.outline) this.settle();
    });
  }

  /** Returns the outline with the line back to its first anchor; null if nothing is left of it. */
  private async closed(outline: Outline): Promise<Rings | null> {
    const { first, last } = outline.wire;
    if (!first || !last) return null;
    const closing = await this.line(outline, last, first, 0);
    const ring = withoutSpurs([...outline.wire.points.ring, ...closing.slice(2, -2)]);
    return ring.length >= 6 ? [[ring]] : null;
  }

  /** Returns the line along borders; a straight line if the computation fails, so that no click is lost. */
  private async line(outline: Outline, from: Place | null, to: Place, reach: number, detail = 1): Promise<Ring> {
    const { scissors, warn } = this.context.ports;
    this.slowNote.begin({ x: to[0], y: to[1] });
    try {
      return await scissors.follow(from, to, reach, detail);
    } catch (error) {
      if (!outline.hasFailed)
        warn(t`Scissors`, error instanceof Error ? error.message : t`The border could not be followed.`);
      outline.hasFailed = true;
      return from ? [...from, ...to] : [...to];
    } finally {
      this.slowNote.end();
    }
  }

  private async preview(): Promise<void> {
    const { outline, pointer } = this;
    const { last, first } = outline.wire;
    if (!pointer || !last || !first || outline.isComputing) return;
    const closes = this.closesAt(pointer);
    const to = closes ? first : this.placeOf(pointer);
    const isStraight = pointer.shift && !closes;
    const detail = this.context.ports.scale();
    const line = isStraight ? [...last, ...to] : await this.line(outline, last, to, closes ? 0 : this.reach(), detail);
    const isSame = outline === this.outline && same(last, outline.wire.last);
    if (!isSame || !this.pointer) return;
    this.live = line;
    this.show();
  }

  private closesAt({ image, kind }: PointerInput): boolean {
    const { first, count } = this.outline;
    if (!first || count < LEAST_ANCHORS) return false;
    return Math.hypot(first[0] - image.x, first[1] - image.y) <= CLOSE_PX[kind] * this.context.ports.scale();
  }

  private placeOf({ image }: PointerInput): Place {
    const { x, y } = this.context.ports.onImage(image);
    return [x, y];
  }

  private reach(): number {
    return this.context.options().snap * this.context.ports.scale();
  }

  /** Updates state, sketch and preview after the anchors have changed. */
  private settle(): void {
    this.live = null;
    if (!this.state.endsWith("pressing")) this.wait();
    // A restored sketch is always added to the annotation, so the points of a cut are not kept.
    const { wire, operation } = this.outline;
    const isKept = wire.count > 0 && operation !== "subtract";
    this.context.ports.keepSketch(isKept ? { tool: "Scissors", ...wire.points } : null);
    void this.previews.request();
    this.show();
  }

  /** Begins another outline, without anchors. */
  private begin(): void {
    const { ports } = this.context;
    this.outline = new Outline();
    this.live = null;
    ports.showDraft(null);
    ports.showNote(null, null);
    ports.keepSketch(null);
    this.wait();
  }

  private show(): void {
    const { ports, options } = this.context;
    const { live, pointer } = this;
    const { wire, anchors, count, operation } = this.outline;
    if (count === 0) {
      ports.showDraft(null);
      return;
    }
    const ring = wire.count > 0 ? ports.scissors.simplified(wire.points.ring) : anchors;
    const end = { x: anchors.at(-2)!, y: anchors.at(-1)! };
    const stroke = ports.strokeAt(pointer ? ports.onImage(pointer.image) : end, options());
    const band = pointer && live ? ports.scissors.simplified(live) : null;
    const target = pointer !== null && this.closesAt(pointer);
    ports.showDraft({ ring, closed: false, stroke, band, marks: anchors, target });
    if (operation === "subtract") ports.showNote(t`Cut`, pointer?.image ?? null);
  }
}

const same = (a: Place, b: Place | null): boolean => b !== null && a[0] === b[0] && a[1] === b[1];
