import { reserveCategoryIds } from "../../../shared/api/category";
import { Rerun } from "../../../shared/async/rerun";
import { Retry } from "../../../shared/async/retry";
import { changeState } from "../copy/choices";
import type { CopyStore } from "../copy/copyStore";
import { addReservedIds, countReservedIds } from "../copy/newCategories";
import type { DatasetRow } from "../copy/records";
import { oneDownloader } from "./oneDownloader";
import type { DownloadPorts } from "./ports";
import { UPDATING, updateDataset } from "./update";

/** Ages in milliseconds from which a complete copy is updated: regularly, and after a start or an outage. */
const EVERY_MS = 3 * 60_000;
const AFTER_RETURN_MS = 5_000;

/** Number of category ids that a browser reserves. */
const RESERVED_IDS = 20;

/**
 * Downloads the chosen datasets and keeps them up to date, in one tab at a time: at the start, when the server is back,
 * and every few minutes while the page is visible. Interrupted downloads continue.
 */
export class Downloader {
  private readonly passes = new Rerun(() => this.pass(), { gathers: true });
  private readonly retry = new Retry(() => this.wake());
  private readonly closing = new AbortController();
  private readonly stops: (() => void)[] = [];
  /** Age from which complete copies are updated in the next pass, in milliseconds. */
  private maxAge = Number.POSITIVE_INFINITY;
  /** True if the user has just chosen or resumed a dataset in this tab. */
  private isUsed = false;
  /** Datasets that failed since the server was last reached, with the reason; they wait for the user. */
  private readonly failed = new Map<number, string>();
  private hasDextr = false;
  /** The running update. */
  private current: { id: number; abort: AbortController } | null = null;

  constructor(
    private readonly store: CopyStore,
    private readonly ports: DownloadPorts,
    private readonly onFailed: () => void,
  ) {
    this.stops.push(
      ports.reach.subscribe(() => this.noteReach()),
      store.onChange("datasets", () => void this.stopIfUnwanted().catch(() => undefined)),
    );
    const timer = setInterval(() => isVisible() && this.wake(EVERY_MS), EVERY_MS);
    this.stops.push(() => clearInterval(timer));
    if (typeof window !== "undefined") {
      const handleFocus = () => this.wake(EVERY_MS);
      window.addEventListener("focus", handleFocus);
      this.stops.push(() => window.removeEventListener("focus", handleFocus));
    }
    this.wake(AFTER_RETURN_MS);
  }

  /**
   * Continues unfinished downloads, and updates complete copies that are at least `maxAge` milliseconds old. `isUsed`:
   * the user requested this in this tab.
   */
  wake(maxAge = Number.POSITIVE_INFINITY, isUsed = false): void {
    this.maxAge = Math.min(this.maxAge, maxAge);
    this.isUsed ||= isUsed;
    this.passes.request().catch(() => this.retry.failed());
  }

  /** Tries a failed dataset again. */
  tryAgain(datasetId: number): void {
    this.failed.delete(datasetId);
    this.wake(undefined, true);
  }

  /**
   * Returns why a dataset's last update in this tab failed; undefined if it succeeded. Needed because full storage
   * cannot keep the reason.
   */
  problemOf(datasetId: number): string | undefined {
    return this.failed.get(datasetId);
  }

  /** Stops all work. Parts of files that have arrived are kept. */
  close(): void {
    this.passes.stop();
    this.retry.stop();
    this.closing.abort();
    this.current?.abort.abort();
    for (const stop of this.stops) stop();
    this.ports.loader.close();
  }

  private noteReach(): void {
    if (this.ports.reach.isAway()) return;
    this.failed.clear();
    this.retry.succeeded();
    this.wake(AFTER_RETURN_MS);
  }

  private async pass(): Promise<void> {
    const before = Date.now() - this.maxAge;
    this.maxAge = Number.POSITIVE_INFINITY;
    const isUsed = this.isUsed || isFocused();
    this.isUsed = false;
    const { signal } = this.closing;
    if (!(await this.nextDue(before))) return;
    await oneDownloader(this.store.name, { signal, isUsed }, () => this.updateAll(before));
  }

  private async updateAll(before: number): Promise<void> {
    for (;;) {
      if (this.closing.signal.aborted) return;
      const row = await this.nextDue(before);
      if (!row) break;
      const end = this.ports.reach.isAway() ? "away" : await this.update(row);
      if (end !== "next") return this.interrupt(end);
    }
    this.retry.succeeded();
  }

  /** Updates a dataset. Returns the reason if no other one can be updated now. */
  private async update({ id }: DatasetRow): Promise<"next" | "away" | "stopped"> {
    const abort = new AbortController();
    this.current = { id, abort };
    try {
      // Runs together with the images, so that no dataset is complete without the data that all datasets need.
      const shared = Promise.all([this.keepCategoryIds(), this.keepDextr()]);
      const outcome = await updateDataset(this.store, this.ports, { id, shared }, abort.signal);
      const { kind } = outcome;
      if (outcome.kind === "failed") {
        this.failed.set(id, outcome.problem);
        this.onFailed();
      }
      // Stopped without an abort means that the session has ended. The next login continues the download.
      return kind === "away" || (kind === "stopped" && !abort.signal.aborted) ? kind : "next";
    } finally {
      this.current = null;
    }
  }

  private async interrupt(end: "away" | "stopped"): Promise<void> {
    for (const id of await this.store.datasets.toCollection().primaryKeys())
      await changeState(this.store, id, ["running"], { state: "waiting" });
    if (end === "away" && !this.closing.signal.aborted) this.retry.failed();
  }

  /**
   * Returns the next dataset that is unfinished or was complete before a moment, in milliseconds since 1970. A dataset
   * whose state is `running` was interrupted.
   */
  private async nextDue(before: number): Promise<DatasetRow | undefined> {
    return this.store.datasets
      .filter(({ id, choice, state, syncedAt }) => {
        if (!choice || state === "paused" || this.failed.has(id)) return false;
        // A time in the future means that the clock was ahead. Waiting for that time could keep an old copy for days.
        return state !== "complete" || (syncedAt ?? 0) < before || (syncedAt ?? 0) > Date.now();
      })
      .first();
  }

  /** Ends the current update if the user has paused, removed or changed its dataset in any tab. */
  private async stopIfUnwanted(): Promise<void> {
    if (!this.current) return;
    const { id, abort } = this.current;
    const row = await this.store.datasets.get(id);
    if (!row?.choice || !UPDATING.includes(row.state)) abort.abort();
  }

  /** Keeps enough reserved ids for the categories of a day. Never rejects, because the next pass tries again. */
  private async keepCategoryIds(): Promise<void> {
    const left = await countReservedIds(this.store).catch(() => RESERVED_IDS);
    if (left >= RESERVED_IDS / 2) return;
    const body = { count: RESERVED_IDS - left };
    await this.ports.request(reserveCategoryIds, { body }, { signal: this.closing.signal }).then(
      ({ ids }) => addReservedIds(this.store, ids).catch(() => undefined),
      () => undefined,
    );
  }

  private async keepDextr(): Promise<void> {
    if (this.hasDextr) return;
    // A failure loses no data, and the next pass tries again.
    this.hasDextr = await this.ports.loader.keepDextr().then(
      () => true,
      () => false,
    );
  }
}

const isVisible = (): boolean => typeof document === "undefined" || document.visibilityState === "visible";
const isFocused = (): boolean => typeof document === "undefined" || document.hasFocus();
