import { arcs } from "../../../../model/dextr/outline/arcs";
import type { Rings } from "../../../../shared/entities/shape";
import type { DextrResult } from "../../../io/dextr/dextr";
import type { DextrPort, ReplaceableResult } from "../common/ports";
import type { Clicks } from "./Clicks";
import type { DextrOptions } from "./options";

/** Time after which a slider that has not moved counts as set. In milliseconds. */
const REST_MS = 300;

export interface OutlinePreviewParts {
  dextr: DextrPort;
  /** Puts the outline into the annotation. */
  replaceable: ReplaceableResult;
  options: () => DextrOptions;
  /** Called when the outline of the last request is in place. */
  onFound: () => void;
  /** Called when the last request has failed; the previous outline is still in place. */
  onFailed: (error: unknown) => void;
  /** Called when another outline has arrived and is about to be shown or put in place. */
  onShown: () => void;
  /** Called if the outline turns out to be empty after `detach`. */
  onNothing: () => void;
}

/** An outline with the result and the threshold that it was computed from. */
interface Outline {
  result: DextrResult;
  threshold: number;
  rings: Rings | null;
}

/**
 * Previews the outline of one object in the annotation: asks the network for it, and replaces it when clicks or
 * threshold change.
 */
export class OutlinePreview {
  /** Aborts the running computation. */
  private running: AbortController | null = null;
  private padding = Number.NaN;
  /** Results by number of clicks, so that a click can be undone without asking the network again. */
  private readonly resultsByCount = new Map<number, DextrResult>();
  /** The outline that is in place, or shown and about to be put in place. */
  private placed: Outline | null = null;
  /** The outline for the slider's threshold, while the slider may still move. */
  private adjusted: { coming: Promise<Rings | null>; threshold: number; timer: ReturnType<typeof setTimeout> } | null =
    null;
  /** The options at the time of `detach`; null before. */
  private finalOptions: DextrOptions | null = null;
  /** True if the annotation had been deleted when the last outline arrived. */
  private isLost = false;
  /** Duration of the network's last run, in milliseconds. */
  took: number | null = null;

  constructor(private readonly parts: OutlinePreviewParts) {}

  get isPlaced(): boolean {
    return this.parts.replaceable.isPlaced;
  }

  /** True if a later edit has made the outline final. */
  get isFinal(): boolean {
    return this.parts.replaceable.isFinal;
  }

  /** True if the network finds no object at this threshold. */
  get isEmpty(): boolean {
    return this.placed?.rings?.length === 0;
  }

  /** The outline that is in place, or shown and about to be put in place; null if there is none yet. */
  get rings(): Rings | null {
    return this.placed?.rings ?? null;
  }

  /** Requests the outline for clicks that include all extreme points. */
  ask(clicks: Clicks): void {
    this.stop();
    this.commit();
    const { padding } = this.options();
    if (padding !== this.padding) this.resultsByCount.clear();
    this.padding = padding;
    const abort = new AbortController();
    this.running = abort;
    const isWanted = () => !abort.signal.aborted;
    const coming = this.outlineFor(clicks, abort.signal).then(
      (outline) => (isWanted() ? this.place(outline) : null),
      (error: unknown) => {
        if (!isWanted()) return null;
        if (this.running === abort) this.running = null;
        this.parts.onFailed(error);
        return null;
      },
    );
    void this.parts.replaceable
      .put(coming, this.isPlaced || clicks.isGiven ? null : roughOutlineOf(clicks))
      .then(() => {
        if (this.running !== abort) return;
        this.running = null;
        this.parts.onFound();
        if (this.finalOptions) void this.finishUnattended();
      });
  }

  /** Returns true if the outline of these clicks is in place. */
  isOf(clicks: Clicks): boolean {
    const { padding, threshold } = this.options();
    const known = this.resultsByCount.get(clicks.count);
    if (!known || padding !== this.padding) return false;
    return known === this.placed?.result && threshold === this.placed.threshold;
  }

  /** Drops the results for this number of clicks and more, because those clicks change. */
  forgetFrom(first: number): void {
    for (const count of [...this.resultsByCount.keys()]) if (count >= first) this.resultsByCount.delete(count);
  }

  /** Applies changed options. Returns true if the network must be asked again. */
  adjust(): boolean {
    const { padding, threshold } = this.options();
    if (padding !== this.padding) return true;
    const { placed, adjusted } = this;
    if (!placed || this.running || threshold === (adjusted ?? placed).threshold) return false;
    clearTimeout(adjusted?.timer);
    const coming = placed.result.outline(threshold).then((rings) => this.place({ ...placed, threshold, rings }));
    const next = { coming, threshold, timer: setTimeout(() => this.commit(), REST_MS) };
    this.adjusted = next;
    coming.then(
      (rings) => rings && this.adjusted === next && this.parts.replaceable.show(rings),
      // The error is reported when the outline is put in place.
      () => undefined,
    );
    return false;
  }

  /** Finishes after `detach`: the slider may have moved while the outline was being computed. */
  private async finishUnattended(): Promise<void> {
    const { replaceable, onNothing } = this.parts;
    this.adjust();
    await this.putAdjusted();
    if (this.isEmpty && !replaceable.isPlaced && !this.isLost) onNothing();
  }

  /** Puts the outline for the slider's threshold in place. */
  commit(): void {
    void this.putAdjusted();
  }

  /** Resolves when the outline for the slider's threshold is in place. */
  private async putAdjusted(): Promise<void> {
    const { adjusted } = this;
    this.adjusted = null;
    if (!adjusted) return;
    clearTimeout(adjusted.timer);
    const coming = adjusted.coming.catch((error: unknown) => {
      this.parts.onFailed(error);
      return null;
    });
    await this.parts.replaceable.put(coming);
  }

  /** Puts a given outline in place instead of the network's. */
  put(rings: Rings): void {
    this.stop();
    void this.parts.replaceable.put(Promise.resolve(rings), rings);
  }

  /** Aborts the running computation. */
  stop(): void {
    this.running?.abort();
    this.running = null;
  }

  /** Makes the current options final, because the object is finished. A running computation still completes. */
  detach(): void {
    this.commit();
    this.finalOptions = this.options();
  }

  remove(): void {
    clearTimeout(this.adjusted?.timer);
    this.adjusted = null;
    this.stop();
    this.parts.replaceable.remove();
  }

  private options(): DextrOptions {
    return this.finalOptions ?? this.parts.options();
  }

  /** Returns the outline from a known result if that is still available; otherwise asks the network. */
  private async outlineFor(clicks: Clicks, signal: AbortSignal): Promise<Outline> {
    const known = this.resultsByCount.get(clicks.count);
    const outline = known && (await this.outlineOf(known).catch(() => null));
    signal.throwIfAborted();
    return outline ?? this.predict(clicks, signal);
  }

  /**
   * Asks the network. If the slider has moved since the request, computes the outline for the new threshold from the
   * result.
   */
  private async predict(clicks: Clicks, signal: AbortSignal): Promise<Outline> {
    const { count } = clicks;
    const { padding, threshold } = this.options();
    const begun = performance.now();
    const result = await this.parts.dextr.predict({ ...clicks.inRequest(), padding, threshold }, signal);
    signal.throwIfAborted();
    this.took = performance.now() - begun;
    this.resultsByCount.set(count, result);
    return threshold === this.options().threshold ? { result, threshold, rings: result.rings } : this.outlineOf(result);
  }

  private async outlineOf(result: DextrResult): Promise<Outline> {
    const { threshold } = this.options();
    return { result, threshold, rings: await result.outline(threshold) };
  }

  private place(outline: Outline): Rings | null {
    if (!outline.rings) return null;
    this.placed = outline;
    // Read now, because an annotation that stays empty is removed soon after.
    this.isLost = this.parts.replaceable.isGone;
    this.parts.onShown();
    return outline.rings;
  }
}

/** Returns a rough outline through the extreme points, without the network. */
export function roughOutlineOf(clicks: Clicks): Rings {
  return arcs(clicks.inRequest().points);
}
