import { arcs } from "../../../../model/dextr/outline/arcs";
import type { Rings } from "../../../../shared/entities/shape";
import type { DextrResult } from "../../../io/dextr/dextr";
import type { DextrPort, ReplaceableResult } from "../common/tool";
import type { Clicks } from "./Clicks";
import type { DextrOptions } from "./options";

/** A slider that has not moved for so long has been set. In milliseconds. */
const REST_MS = 300;

export interface FindingParts {
  dextr: DextrPort;
  /** Result that takes the outline. */
  held: ReplaceableResult;
  options: () => DextrOptions;
  /** The last request is in place. */
  onFound: () => void;
  /** The last request has failed; the outline before it is still there. */
  onFailed: (error: unknown) => void;
  /** Another outline is shown or in place. */
  onShown: () => void;
  /** The person has turned to something else, and what comes now is nothing. */
  onNothing: () => void;
}

/** An outline, what it comes from, and whether it is wanted no more. */
interface Outline {
  result: DextrResult;
  threshold: number;
  rings: Rings | null;
}

/**
 * Finds one object by the network: asks it, puts the outline into the annotation and, with other clicks or another
 * threshold, another in its place.
 */
export class Finding {
  /** The computation under way. */
  private asked: AbortController | null = null;
  private padding = Number.NaN;
  /** By number of clicks, so that a click can be taken back without asking again. */
  private readonly answers = new Map<number, DextrResult>();
  /** The outline that is in place, or shown and soon in place. */
  private placed: Outline | null = null;
  /** The outline by a slider that may still move. */
  private adjusted: { coming: Promise<Rings | null>; threshold: number; timer: ReturnType<typeof setTimeout> } | null =
    null;
  private left: DextrOptions | null = null;
  /** Duration of the network's last run, in milliseconds. */
  took: number | null = null;

  constructor(private readonly parts: FindingParts) {}

  get isThere(): boolean {
    return this.parts.held.isThere;
  }

  /** Something else was done since. */
  get isOver(): boolean {
    return this.parts.held.isOver;
  }

  /** True if the network finds nothing of the object at this threshold. */
  get isEmpty(): boolean {
    return this.placed?.rings?.length === 0;
  }

  /** Asks for clicks that are whole. */
  ask(clicks: Clicks): void {
    this.stop();
    this.commit();
    const { padding } = this.options();
    if (padding !== this.padding) this.answers.clear();
    this.padding = padding;
    const abort = new AbortController();
    this.asked = abort;
    const isWanted = () => !abort.signal.aborted;
    const coming = this.outlineFor(clicks, abort.signal).then(
      (outline) => (isWanted() ? this.take(outline) : null),
      (error: unknown) => {
        if (!isWanted()) return null;
        if (this.asked === abort) this.asked = null;
        this.parts.onFailed(error);
        return null;
      },
    );
    void this.parts.held.put(coming, this.isThere ? null : previewOf(clicks)).then(() => {
      if (this.asked !== abort) return;
      this.asked = null;
      this.parts.onFound();
      if (this.left) void this.comeLate();
    });
  }

  /** True if the outline of these clicks is in place. */
  isOf(clicks: Clicks): boolean {
    const { padding, threshold } = this.options();
    const known = this.answers.get(clicks.count);
    if (!known || padding !== this.padding) return false;
    return known === this.placed?.result && threshold === this.placed.threshold;
  }

  /** From this number of clicks on they are others. */
  forget(from: number): void {
    for (const count of [...this.answers.keys()]) if (count >= from) this.answers.delete(count);
  }

  /** The options may have changed. Returns true if the network must be asked again. */
  adjust(): boolean {
    const { padding, threshold } = this.options();
    if (padding !== this.padding) return true;
    const { placed, adjusted } = this;
    if (!placed || this.asked || threshold === (adjusted ?? placed).threshold) return false;
    clearTimeout(adjusted?.timer);
    const coming = placed.result.outline(threshold).then((rings) => this.take({ ...placed, threshold, rings }));
    const next = { coming, threshold, timer: setTimeout(() => this.commit(), REST_MS) };
    this.adjusted = next;
    coming.then(
      (rings) => rings && this.adjusted === next && this.parts.held.show(rings),
      // Told when it is put in place.
      () => undefined,
    );
    return false;
  }

  /** Nobody looks any more: the slider may have moved once more while the outline was on its way. */
  private async comeLate(): Promise<void> {
    const { held, onNothing } = this.parts;
    this.adjust();
    await this.putAdjusted();
    if (this.isEmpty && !held.isThere && !held.isGone) onNothing();
  }

  /** The slider rests where it is. */
  commit(): void {
    void this.putAdjusted();
  }

  /** Resolves when what the slider shows is in place. */
  private async putAdjusted(): Promise<void> {
    const { adjusted } = this;
    this.adjusted = null;
    if (!adjusted) return;
    clearTimeout(adjusted.timer);
    const coming = adjusted.coming.catch((error: unknown) => {
      this.parts.onFailed(error);
      return null;
    });
    await this.parts.held.put(coming);
  }

  /** Puts an outline as it is in place of the network's. */
  put(rings: Rings): void {
    this.stop();
    void this.parts.held.put(Promise.resolve(rings), rings);
  }

  /** Drops the computation under way. */
  stop(): void {
    this.asked?.abort();
    this.asked = null;
  }

  /** The person turns to something else: what is being computed comes with the options of now. */
  leave(): void {
    this.commit();
    this.left = this.options();
  }

  takeBack(): void {
    clearTimeout(this.adjusted?.timer);
    this.adjusted = null;
    this.stop();
    this.parts.held.takeBack();
  }

  private options(): DextrOptions {
    return this.left ?? this.parts.options();
  }

  /** Of a known answer, where it can still be had; else the network is asked. */
  private async outlineFor(clicks: Clicks, signal: AbortSignal): Promise<Outline> {
    const known = this.answers.get(clicks.count);
    const outline = known && (await this.outlineOf(known).catch(() => null));
    signal.throwIfAborted();
    return outline ?? this.predict(clicks, signal);
  }

  /** The outline that comes with the answer is by the threshold of then: the slider may have moved since. */
  private async predict(clicks: Clicks, signal: AbortSignal): Promise<Outline> {
    const { count } = clicks;
    const { padding, threshold } = this.options();
    const begun = performance.now();
    const result = await this.parts.dextr.predict({ ...clicks.asked(), padding, threshold }, signal);
    signal.throwIfAborted();
    this.took = performance.now() - begun;
    this.answers.set(count, result);
    return threshold === this.options().threshold ? { result, threshold, rings: result.rings } : this.outlineOf(result);
  }

  private async outlineOf(result: DextrResult): Promise<Outline> {
    const { threshold } = this.options();
    return { result, threshold, rings: await result.outline(threshold) };
  }

  private take(outline: Outline): Rings | null {
    if (!outline.rings) return null;
    this.placed = outline;
    this.parts.onShown();
    return outline.rings;
  }
}

/** Returns the outline that the extreme points alone give. */
export function previewOf(clicks: Clicks): Rings {
  return arcs(clicks.asked().points);
}
