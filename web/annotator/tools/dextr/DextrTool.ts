import { t } from "@lingui/core/macro";
import { createStore } from "zustand/vanilla";
import type { Prompt } from "../../../../model/dextr/base/request";
import { DEXTR } from "../../../../shared/constants";
import { serverText } from "../../../languages/serverText";
import type { PointerInput } from "../../canvas/view/pointer";
import type { Point } from "../../canvas/view/view";
import { heldOperation } from "../common/heldOperation";
import { Machine } from "../common/machine";
import type { DextrPort, SketchPoints } from "../common/ports";
import type { ToolContext } from "../common/tool";
import { type ClickKind, Clicks } from "./Clicks";
import { guidesOf } from "./guidesOf";
import { CURSORS, meaningOf } from "./meaning";
import { OutlinePreview, roughOutlineOf } from "./OutlinePreview";
import type { DextrOptions } from "./options";
import type { DextrPorts } from "./ports";
import { type DextrProgress, NO_PROGRESS } from "./progress";
import { Closing } from "./states/Closing";
import { Computing } from "./states/Computing";
import type { DextrState } from "./states/DextrState";
import { Failed } from "./states/Failed";
import { Placing } from "./states/Placing";
import type { DextrToolPort } from "./states/port";
import { Ready } from "./states/Ready";
import { Refining } from "./states/Refining";
import { Setting } from "./states/Setting";
import { Waiting } from "./Waiting";

/** The second press of a double click is ignored if it is closer to the first than this. In screen pixels. */
const DOUBLE_PX = 5;

/**
 * Finds the outline of an object from clicks on its four extreme points. The outline is united with the selected
 * annotation or, with Alt, cut out; or it replaces the annotation's shape, found from the extreme points of that shape.
 * Further clicks and the threshold refine the outline as one undo step until it is accepted or another annotation is
 * selected.
 */
export class DextrTool extends Machine implements DextrToolPort {
  readonly store = createStore<DextrProgress>(() => NO_PROGRESS);
  private readonly clicks = new Clicks();
  private readonly waiting: Waiting;
  private now: DextrState = new Ready(this);
  private preview: OutlinePreview | null = null;
  /** Uuid of the annotation that the points are set for. */
  private target: string | null = null;
  /** Uuid of the annotation whose object was kept with Enter: the next object becomes a new annotation. */
  private kept: string | null = null;
  /** Operation chosen by the key that was held at the first point; null without a key. */
  private operation: ReturnType<typeof heldOperation> = null;
  private isBeginningNext = false;
  /** True if the tool is no longer in use. */
  private isLeft = false;
  private pointer: Point | null = null;

  constructor(private readonly context: ToolContext<DextrOptions, DextrPorts>) {
    super("dextr");
    this.waiting = new Waiting(context.ports);
    this.enterState(this.now);
    this.dextr.prepare();
  }

  /** Store for the hint about where the next shape goes. */
  get destination(): DextrTool["store"] {
    return this.store;
  }

  /** The runtime, for the panel. */
  get dextr(): DextrPort {
    return this.context.ports.dextr;
  }

  press(input: PointerInput): void {
    const { ports } = this.context;
    if (this.clicks.count === 0) {
      const operation = heldOperation(input);
      if (!ports.mayDraw(operation)) return;
      this.operation = operation;
      if (operation) this.kept = null;
      this.target = ports.target();
    }
    const at = ports.onImage(input.image);
    if (this.target === null || this.isDoubleClick(input, at)) return;
    const kind = meaningOf(input, at, this.preview?.rings ?? null);
    if (this.isTooFar(at, kind)) {
      ports.showNote(t`DEXTR does not reach this far. Set the points again to include this place.`, at);
      return;
    }
    if (this.clicks.isFull(kind)) {
      const most = kind === "border" ? DEXTR.maxMore : DEXTR.maxCorrections;
      const text =
        kind === "border"
          ? t`You can add at most ${most} refining points`
          : t`You can add at most ${most} corrections of each kind`;
      ports.showNote(text, at);
      return;
    }
    this.preview?.stop();
    this.preview?.commit();
    this.preview?.forgetFrom(this.clicks.count + 1);
    this.clicks.add(at, kind);
    this.enterState(new Placing(this));
  }

  drag({ image }: PointerInput): void {
    this.clicks.moveLast(this.context.ports.onImage(image));
    this.updateGuides();
  }

  release(): void {
    this.followClicks();
  }

  abortPress(): void {
    this.clicks.removeLast();
    this.followClicks();
  }

  pointAt(input: PointerInput | null): void {
    const { ports } = this.context;
    this.pointer = input && ports.onImage(input.image);
    const [number, total] = [this.clicks.count + 1, DEXTR.points];
    const note = this.operation === "subtract" ? t`Cut: ${number} of ${total}` : t`${number} of ${total}`;
    ports.showNote(this.pointer && note, this.pointer);
    this.updateGuides();
  }

  /** Shows by the cursor what a press would mean here; null restores the tool's cursor. */
  showMeaning(input: PointerInput | null): void {
    const { ports } = this.context;
    const at = input && ports.onImage(input.image);
    const kind = input && at && meaningOf(input, at, this.preview?.rings ?? null);
    if (kind) ports.showCursor(this.isTooFar(at, kind) ? "not-allowed" : CURSORS[kind]);
    else ports.showCursor(null);
    ports.showNote(null, null);
  }

  /** Returns true for a correction of a place outside the network's input. */
  private isTooFar(at: Point, kind: ClickKind): boolean {
    return kind !== "border" && !this.clicks.isSeen(at);
  }

  /**
   * Handles Enter. If all extreme points are set, keeps the object, so that the next object becomes a new annotation.
   */
  complete(): void {
    if (this.clicks.isComplete && !this.clicks.isGiven) this.kept = this.target;
    this.now.complete();
    this.updateProgress({});
  }

  cancel(): boolean {
    if (this.now.name === "setting") this.context.ports.discardSketch();
    return this.now.cancel();
  }

  conclude(): void {
    if (this.clicks.isComplete && (this.now.name !== "failed" || this.preview?.isPlaced)) this.finishObject();
  }

  override exit(): void {
    this.isLeft = true;
    this.conclude();
    super.exit();
  }

  /** Removes the last click. A refinement without clicks ends, because its points are not the user's. */
  removeLastPoint(): boolean {
    const had = this.clicks.removeLast();
    if (had) this.followClicks();
    else if (this.clicks.isGiven) {
      this.discardAll();
      return true;
    }
    return had;
  }

  /**
   * Undoes the last point. Without a point, undo goes on to earlier steps and may remove the kept object, so the next
   * object may go into the same annotation.
   */
  undo(): boolean {
    const had = this.now.undo();
    if (!had) this.kept = null;
    this.updateProgress({});
    return had;
  }

  redo(): boolean {
    return this.now.redo();
  }

  continueWith({ ring }: SketchPoints): void {
    this.target = this.context.ports.target();
    for (let i = 0; i + 1 < ring.length; i += 2) this.clicks.add({ x: ring[i]!, y: ring[i + 1]! }, "border");
    this.followClicks();
  }

  refine(given: Prompt): void {
    this.target = this.context.ports.target();
    this.clicks.begin(given);
    this.followClicks();
  }

  get isPlaced(): boolean {
    return this.preview?.isPlaced ?? false;
  }

  get isCorrectedLast(): boolean {
    return this.clicks.isCorrectedLast;
  }

  /**
   * Undoes the last point. Without a point, drops the undone points: undo then goes to an earlier step of the history,
   * and redo must restore that step, not these points.
   */
  undoPoint(): boolean {
    const had = this.clicks.undo();
    if (had) this.followClicks();
    else if (!this.clicks.isGiven) this.clicks.clear();
    return had;
  }

  redoPoint(): boolean {
    const had = this.clicks.redo();
    if (had) this.followClicks();
    return had;
  }

  discardAll(): void {
    this.removeOutline();
    this.reset();
  }

  discardLast(): void {
    if (this.clicks.count > DEXTR.points && this.preview?.isPlaced) this.removeLastPoint();
    else this.discardAll();
  }

  finishObject(): void {
    this.preview?.detach();
    this.reset();
  }

  acceptWhenComputed(): void {
    this.enterState(new Closing(this));
  }

  acceptRoughOutline(): void {
    const { preview } = this;
    if (preview && !preview.isPlaced && !this.clicks.isGiven) preview.put(roughOutlineOf(this.clicks));
    this.finishObject();
  }

  commitThreshold(): void {
    this.preview?.commit();
  }

  /** Asks the network again after a failure. */
  retry(): void {
    if (this.now.name === "failed") this.followClicks();
  }

  /** Called after the selection, the document or the options have changed. */
  override refresh(): void {
    const { ports } = this.context;
    if (this.isBeginningNext) return;
    const isElsewhere = ports.target() !== this.target;
    if (ports.target() !== this.kept) this.kept = null;
    if (this.clicks.count === 0 && isElsewhere) this.clicks.clear();
    if (this.clicks.count > 0 && (isElsewhere || this.preview?.isFinal)) this.finishObject();
    else if (this.clicks.isComplete && this.now.name !== "placing" && this.preview?.adjust()) this.followClicks();
    this.updateGuides();
  }

  showWaiting(isWaiting: boolean): void {
    if (isWaiting) this.waiting.begin(this.clicks.last);
    else this.waiting.end();
  }

  /** Enters the state that fits the points. */
  private followClicks(): void {
    this.pointer = null;
    this.preview?.stop();
    if (!this.clicks.isComplete) {
      this.removeOutline();
      this.context.ports.showPiece(null);
      this.enterState(this.clicks.count === 0 ? new Ready(this) : new Setting(this));
      return;
    }
    this.preview ??= this.beginPreview();
    if (!this.preview) this.reset();
    else if (this.preview.isOf(this.clicks)) this.handleFound();
    else this.ask(this.preview);
  }

  /** Removes the outline. Clears `preview` first, so that the removal does not count as a change by the user. */
  private removeOutline(): void {
    const { preview } = this;
    this.preview = null;
    preview?.remove();
  }

  private ask(preview: OutlinePreview): void {
    this.context.ports.showPiece(null);
    preview.ask(this.clicks);
    this.enterState(new Computing(this));
  }

  private beginPreview(): OutlinePreview | null {
    const { ports, options } = this.context;
    if (this.kept !== null) this.beginNext();
    const replaceable = ports.beginResult(this.clicks.isGiven ? "replace" : (this.operation ?? "unite"));
    if (!replaceable) return null;
    const target = ports.target();
    const preview: OutlinePreview = new OutlinePreview({
      dextr: this.dextr,
      replaceable,
      options,
      onFound: () => preview === this.preview && this.handleFound(),
      onFailed: (error) => this.handleFailed(preview, error),
      onShown: () => preview === this.preview && this.updateProgress({}),
      onNothing: () => this.handleNothing(target),
    });
    return preview;
  }

  /** Selects a new annotation for the points, because the previous object was kept. */
  private beginNext(): void {
    this.isBeginningNext = true;
    this.context.ports.beginNext();
    this.isBeginningNext = false;
    this.kept = null;
    this.target = this.context.ports.target();
  }

  private handleFound(): void {
    if (this.now.name === "closing") {
      this.finishObject();
      return;
    }
    this.enterState(new Refining(this));
    this.refresh();
  }

  /** Handles an object that was not found: the next object goes into the same annotation. */
  private handleNothing(target: string | null): void {
    if (this.kept === target) this.kept = null;
    this.updateProgress({});
    this.context.ports.inform("DEXTR", t`Nothing found at this threshold: lower it and set the points again.`);
  }

  private handleFailed(preview: OutlinePreview, error: unknown): void {
    const { ports } = this.context;
    const message = error instanceof Error ? serverText(error.message) : t`The outline could not be computed.`;
    ports.warn("DEXTR", message);
    if (preview !== this.preview || this.now.name === "placing") return;
    this.enterState(new Failed(this));
    this.updateProgress({ error: message });
    const operation = this.operation ?? "unite";
    if (!preview.isPlaced && !this.clicks.isGiven) ports.showPiece({ operation, rings: roughOutlineOf(this.clicks) });
  }

  private reset(): void {
    const { ports } = this.context;
    const wasGiven = this.clicks.isGiven;
    this.clicks.clear();
    this.preview = null;
    this.target = null;
    this.operation = null;
    this.pointer = null;
    ports.showPiece(null);
    this.enterState(new Ready(this));
    if (wasGiven && !this.isLeft) ports.endRefinement();
  }

  private enterState(next: DextrState): void {
    this.now = next;
    this.become(next);
    if (next.name !== "setting") this.context.ports.showNote(null, null);
    if (next.name !== "placing") this.keepPoints();
    this.updateProgress({ error: "" });
    this.updateGuides();
  }

  /**
   * Keeps the points in case the page is reloaded, until their outline is in place. The points of a cut are not kept.
   */
  private keepPoints(): void {
    const { border, isGiven } = this.clicks;
    const isOpen = border.length > 0 && !isGiven && !this.isPlaced && this.operation !== "subtract";
    const ring = border.flatMap(({ x, y }) => [x, y]);
    const starts = border.map((_, i) => i);
    this.context.ports.keepSketch(isOpen ? { tool: "DEXTR", ring, starts, startsNew: this.kept !== null } : null);
  }

  private updateProgress(change: Partial<DextrProgress>): void {
    const { preview, clicks, now } = this;
    this.store.setState({
      state: now.name,
      points: clicks.border.length + (clicks.isGiven ? DEXTR.points : 0),
      corrections: clicks.corrections.length,
      isRefinement: clicks.isGiven,
      isEmpty: preview?.isEmpty ?? false,
      took: preview?.took ?? null,
      startsNew: this.kept !== null,
      ...change,
    });
  }

  private updateGuides(): void {
    const { clicks, now, pointer, context } = this;
    const { padding } = context.options();
    context.ports.showGuides(
      guidesOf(clicks, { pointer, padding, isFound: now.name === "refining", isPlaced: this.isPlaced }),
    );
  }

  private isDoubleClick({ clicks }: PointerInput, at: Point): boolean {
    const { last } = this.clicks;
    if (clicks < 2 || !last) return false;
    return Math.hypot(at.x - last.x, at.y - last.y) < DOUBLE_PX * this.context.ports.scale();
  }
}
