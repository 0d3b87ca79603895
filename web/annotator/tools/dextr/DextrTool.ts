import { createStore } from "zustand/vanilla";
import { DEXTR } from "../../../../shared/constants";
import type { PointerInput } from "../../canvas/view/pointer";
import type { Point } from "../../canvas/view/view";
import { Machine } from "../common/machine";
import type { DextrPort, ToolContext } from "../common/tool";
import { Clicks } from "./Clicks";
import { Finding, previewOf } from "./Finding";
import { guidesOf } from "./guidesOf";
import type { DextrOptions } from "./options";
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

/** The second press of a double click is no point of its own, as long as it is so near to the first. Screen pixels. */
const DOUBLE_PX = 5;

/** For the panel. */
export interface DextrProgress {
  /** Name of the present state. */
  state: string;
  clicks: number;
  /** The network holds nothing for the object at this threshold. */
  isEmpty: boolean;
  /** Duration of the network's run, in milliseconds. */
  took: number | null;
  /** The failure; empty if there is none. */
  error: string;
}

/** Hint after a failure, by whether the points are still there. */
export const NOTHING_FOUND = "Nothing found at this threshold";

const NOTHING: DextrProgress = { state: "ready", clicks: 0, isEmpty: false, took: null, error: "" };

/**
 * Clicks on the four extreme points of an object give its outline, which is united into the annotation in hand; further
 * clicks on its border and the threshold refine it, as one undo step, until the person turns to something else.
 */
export class DextrTool extends Machine implements DextrToolPort {
  readonly store = createStore<DextrProgress>(() => NOTHING);
  private readonly clicks = new Clicks();
  private readonly waiting: Waiting;
  private now: DextrState = new Ready(this);
  private finding: Finding | null = null;
  /** The annotation that the points are set for. */
  private target: string | null = null;
  private pointer: Point | null = null;

  constructor(private readonly context: ToolContext<DextrOptions>) {
    super("dextr");
    this.waiting = new Waiting(context.ports);
    this.go(this.now);
    this.dextr.prepare();
  }

  /** The runtime, for the panel. */
  get dextr(): DextrPort {
    return this.context.ports.dextr;
  }

  press(input: PointerInput): void {
    const { ports } = this.context;
    if (this.clicks.count === 0) {
      if (!ports.mayDraw()) return;
      this.target = ports.target();
    }
    const at = ports.onImage(input.image);
    if (this.target === null || this.isDoubled(input, at)) return;
    if (this.clicks.isFull) {
      ports.showNote(`The network takes at most ${DEXTR.maxMore} more points`, at);
      return;
    }
    this.finding?.stop();
    this.finding?.commit();
    this.finding?.forget(this.clicks.count + 1);
    this.clicks.add(at);
    this.go(new Placing(this));
  }

  drag({ image }: PointerInput): void {
    this.clicks.moveLast(this.context.ports.onImage(image));
    this.show();
  }

  release(): void {
    this.settle();
  }

  abortPress(): void {
    this.clicks.drop();
    this.settle();
  }

  pointAt(input: PointerInput | null): void {
    const { ports } = this.context;
    this.pointer = input && ports.onImage(input.image);
    ports.showNote(this.pointer && `${this.clicks.count + 1} of ${DEXTR.points}`, this.pointer);
    this.show();
  }

  complete(): void {
    this.now.complete();
  }

  cancel(): boolean {
    return this.now.cancel();
  }

  conclude(): void {
    if (this.clicks.isWhole && (this.now.name !== "failed" || this.finding?.isThere)) this.part();
  }

  override exit(): void {
    this.conclude();
    super.exit();
  }

  takeBack(): boolean {
    const had = this.clicks.drop();
    if (had) this.settle();
    return had;
  }

  undo(): boolean {
    return this.now.undo();
  }

  redo(): boolean {
    return this.now.redo();
  }

  get isPlaced(): boolean {
    return this.finding?.isThere ?? false;
  }

  /** With no point left, undo goes to the step before: redo brings that back, not these points. */
  undoPoint(): boolean {
    const had = this.clicks.undo();
    if (had) this.settle();
    else this.clicks.clear();
    return had;
  }

  redoPoint(): boolean {
    const had = this.clicks.redo();
    if (had) this.settle();
    return had;
  }

  drop(): void {
    this.takeOutlineBack();
    this.end();
  }

  giveUpLast(): void {
    if (this.clicks.count > DEXTR.points && this.finding?.isThere) this.takeBack();
    else this.drop();
  }

  part(): void {
    this.finding?.leave();
    this.end();
  }

  takeWhatComes(): void {
    this.go(new Closing(this));
  }

  takePreview(): void {
    const { finding } = this;
    if (finding && !finding.isThere) finding.put(previewOf(this.clicks));
    this.part();
  }

  rest(): void {
    this.finding?.commit();
  }

  /** Asks again, after a failure. */
  retry(): void {
    if (this.now.name === "failed") this.settle();
  }

  /** Something has changed: the selection, the document, the options. */
  override refresh(): void {
    const { ports } = this.context;
    const isElsewhere = ports.target() !== this.target;
    if (this.clicks.count === 0 && isElsewhere) this.clicks.clear();
    if (this.clicks.count > 0 && (isElsewhere || this.finding?.isOver)) this.part();
    else if (this.clicks.isWhole && this.now.name !== "placing" && this.finding?.adjust()) this.settle();
    this.show();
  }

  showsWaiting(isWaiting: boolean): void {
    if (isWaiting) this.waiting.begin(this.clicks.last);
    else this.waiting.end();
  }

  /** To the state that the points ask for. */
  private settle(): void {
    this.pointer = null;
    this.finding?.stop();
    if (!this.clicks.isWhole) {
      this.takeOutlineBack();
      this.context.ports.showPiece(null);
      this.go(this.clicks.count === 0 ? new Ready(this) : new Setting(this));
      return;
    }
    this.finding ??= this.begin();
    if (!this.finding) this.end();
    else if (this.finding.isOf(this.clicks)) this.found();
    else this.ask(this.finding);
  }

  /** From here on the finding is none of the tool's, so that taking it back is no event to it. */
  private takeOutlineBack(): void {
    const { finding } = this;
    this.finding = null;
    finding?.takeBack();
  }

  private ask(finding: Finding): void {
    this.context.ports.showPiece(null);
    finding.ask(this.clicks);
    this.go(new Computing(this));
  }

  private begin(): Finding | null {
    const { ports, options } = this.context;
    const held = ports.holdResult();
    if (!held) return null;
    const finding: Finding = new Finding({
      dextr: this.dextr,
      held,
      options,
      onFound: () => finding === this.finding && this.found(),
      onFailed: (error) => this.failed(finding, error),
      onShown: () => finding === this.finding && this.tell({}),
      onNothing: () => ports.inform("DEXTR", `${NOTHING_FOUND}: lower it and set the points again.`),
    });
    return finding;
  }

  private found(): void {
    if (this.now.name === "closing") {
      this.part();
      return;
    }
    this.go(new Refining(this));
    this.refresh();
  }

  private failed(finding: Finding, error: unknown): void {
    const { ports } = this.context;
    const message = error instanceof Error ? error.message : "The outline could not be computed.";
    ports.warn("DEXTR", message);
    if (finding !== this.finding || this.now.name === "placing") return;
    this.go(new Failed(this));
    this.tell({ error: message });
    if (!finding.isThere) ports.showPiece({ operation: "unite", rings: previewOf(this.clicks) });
  }

  private end(): void {
    const { ports } = this.context;
    this.clicks.clear();
    this.finding = null;
    this.target = null;
    this.pointer = null;
    ports.showPiece(null);
    this.go(new Ready(this));
  }

  private go(next: DextrState): void {
    this.now = next;
    this.become(next);
    if (next.name !== "setting") this.context.ports.showNote(null, null);
    this.tell({ error: "" });
    this.show();
  }

  private tell(change: Partial<DextrProgress>): void {
    const { finding, clicks, now } = this;
    this.store.setState({
      state: now.name,
      clicks: clicks.count,
      isEmpty: finding?.isEmpty ?? false,
      took: finding?.took ?? null,
      ...change,
    });
  }

  private show(): void {
    const { clicks, now, pointer, context } = this;
    const { padding } = context.options();
    context.ports.showGuides(
      guidesOf(clicks, { pointer, padding, isFound: now.name === "refining", isPlaced: this.isPlaced }),
    );
  }

  private isDoubled({ clicks }: PointerInput, at: Point): boolean {
    const { last } = this.clicks;
    if (clicks < 2 || !last) return false;
    return Math.hypot(at.x - last.x, at.y - last.y) < DOUBLE_PX * this.context.ports.scale();
  }
}
