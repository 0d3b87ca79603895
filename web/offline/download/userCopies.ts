import { t } from "@lingui/core/macro";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { AnnotatorScene } from "../../../shared/api/annotator";
import { getManifest } from "../../../shared/api/offline";
import { BackOff } from "../../../shared/async/backOff";
import { Rerun } from "../../../shared/async/rerun";
import { withinTime } from "../../../shared/async/timeLimit";
import type { Category } from "../../../shared/entities/category";
import type { Answered } from "../../io/journal/storedEdits";
import { changeState } from "../copy/choices";
import { expectedBytes, testOf } from "../copy/chosen";
import type { CopiesState, CopyProgress, Estimate } from "../copy/copiesState";
import { CopyStore } from "../copy/copyStore";
import { addCategory } from "../copy/newCategories";
import { readState } from "../copy/readState";
import { type Choice, type CopyState, RECENT_LIMIT } from "../copy/records";
import { forgetDataset } from "../copy/removal";
import { keepAcknowledged } from "./acknowledged";
import { Downloader } from "./downloader";
import { applyManifest, type Manifest } from "./manifest";
import { fullStorage, isQuotaError } from "./outcome";
import type { DownloadPorts } from "./ports";
import { RecentImages } from "./recent";

/** Pause before the state is read again after a change, in milliseconds. */
const REFRESH_MS = 200;
/** Time for which `choose` uses the manifest that `estimate` requested, in milliseconds. */
const MANIFEST_MS = 60_000;

/** Time limit for reading the state, in milliseconds: some browsers never open a database. */
const OPENING_MS = 10_000;

/** Delays between tries to open a database that could not be opened, e.g. because the disk was full for a moment. */
const OPENING_TRIES = { first: 2_000, longest: 60_000 };

const unavailable = (): string =>
  t`This browser does not let the page store data, perhaps because this is a private window, so nothing can be made available offline.`;
const lost = (): string => t`The browser has deleted or closed this page's storage. Reload the page.`;

const PAUSABLE: readonly CopyState[] = ["waiting", "running", "failed", "complete"];
const RESUMABLE: readonly CopyState[] = ["waiting", "paused", "failed", "complete"];

/** One user's copies of datasets in this browser, and the commands on them. All tabs of the user share them. */
export class Copies {
  readonly state: StoreApi<CopiesState> = createStore(() => ({
    ...{ state: "loading" as const, reason: null, datasets: [] },
    recent: { bytes: 0, limit: RECENT_LIMIT },
  }));
  readonly store: CopyStore;
  private readonly downloader: Downloader;
  private readonly recent: RecentImages;
  private readonly refreshing = new Rerun(() => this.refresh());
  private readonly stops: (() => void)[] = [];
  private readonly openingTries = new BackOff(OPENING_TRIES);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private manifest: { content: Manifest; at: number } | null = null;
  private wasRead = false;
  private isClosed = false;

  constructor(
    name: string,
    private readonly username: string,
    private readonly ports: DownloadPorts,
  ) {
    this.store = new CopyStore(name);
    this.store.onLost(() => this.showUnavailable());
    for (const table of ["datasets", "images", "progress", "settings"] as const)
      this.stops.push(this.store.onChange(table, () => this.refreshSoon()));
    this.recent = new RecentImages(this.store, ports.loader);
    this.downloader = new Downloader(this.store, ports, () => this.refreshSoon());
    void this.refreshing.request();
  }

  /** Returns the size of a choice, from the dataset's manifest. Rejects if the server cannot be reached. */
  async estimate(datasetId: number, choice: Choice, signal: AbortSignal): Promise<Estimate> {
    const { images } = await this.manifestOf(datasetId, signal);
    const isChosen = testOf(choice);
    const chosen = images.filter(({ id }) => isChosen(id));
    const bytes = chosen.reduce((sum, image) => sum + expectedBytes(choice.form, image), 0);
    return { images: chosen.length, bytes, free: await freeBytes() };
  }

  /**
   * Makes images of a dataset available, or changes the choice of images. Asks the browser not to delete them on its
   * own. Rejects if the server cannot be reached or the browser cannot store the list of images, and with the signal's
   * reason if it is aborted before the choice is stored.
   */
  async choose(datasetId: number, choice: Choice, signal?: AbortSignal): Promise<void> {
    void globalThis.navigator?.storage?.persist?.().catch(() => undefined);
    const manifest = await this.manifestOf(datasetId, signal);
    signal?.throwIfAborted();
    await applyManifest(this.store, manifest, choice).catch((error: unknown) => {
      throw isQuotaError(error) ? new Error(fullStorage()) : error;
    });
    this.downloader.tryAgain(datasetId);
  }

  async pause(datasetId: number): Promise<void> {
    await changeState(this.store, datasetId, PAUSABLE, { state: "paused", problem: null });
  }

  /** Continues a paused dataset, or tries a failed one again. */
  async resume(datasetId: number): Promise<void> {
    await changeState(this.store, datasetId, RESUMABLE, { state: "waiting", problem: null });
    this.downloader.tryAgain(datasetId);
  }

  /** Removes a dataset from the copy, or the message about one that is gone. Pending edits stay in the journal. */
  async remove(datasetId: number): Promise<void> {
    await this.store.changeAll(() => forgetDataset(this.store, datasetId));
  }

  /** Sets the limit for images kept because they were opened, in bytes; 0 keeps none. */
  async setRecentLimit(bytes: number): Promise<void> {
    await this.recent.setLimit(bytes);
  }

  /** Keeps an image that the user has just opened, with its scene as the server sent it. Never rejects. */
  async note(scene: AnnotatorScene): Promise<void> {
    await this.recent.note(scene).catch(() => undefined);
  }

  /** Notes that an image was opened from the copy, so that it is kept longer. Never rejects. */
  async noteUse(imageId: number): Promise<void> {
    await this.recent.noteUse(imageId).catch(() => undefined);
  }

  /**
   * Applies edits that the server has stored, before the journal deletes them. Scenes that wait to be kept are kept
   * first, so that they get these edits. Never rejects.
   */
  async keepAcknowledged(edits: readonly Answered[]): Promise<void> {
    await this.recent.keepNow();
    await keepAcknowledged(this.store, edits, this.username).catch(() => undefined);
  }

  /** Adds a category that the server has just created to its dataset. Never rejects. */
  async keepCategory(category: Category, datasetId: number): Promise<void> {
    await addCategory(this.store, category, datasetId).catch(() => undefined);
  }

  /** Continues downloads that were interrupted because the session had ended. */
  wake(): void {
    this.downloader.wake();
  }

  /** Stops all work in this tab. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    clearTimeout(this.timer);
    for (const stop of this.stops) stop();
    this.refreshing.stop();
    this.recent.close();
    this.downloader.close();
    this.store.close();
  }

  /** Deletes all copies of the user from this browser. Works offline. */
  async wipe(): Promise<void> {
    this.close();
    await this.store.wipe();
  }

  private async manifestOf(id: number, signal?: AbortSignal): Promise<Manifest> {
    const known = this.manifest;
    if (known && known.content.dataset.id === id && performance.now() - known.at < MANIFEST_MS) return known.content;
    const at = performance.now();
    const content = await this.ports.request(getManifest, { params: { id } }, { ...(signal && { signal }) });
    this.manifest = { content, at };
    return content;
  }

  private refreshSoon(ms = REFRESH_MS): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.refreshing.request();
    }, ms);
  }

  private async refresh(): Promise<void> {
    const read = withinTime(OPENING_MS, this.read(), () => new Error("The storage does not respond."));
    const next = await read.catch(() => null);
    if (this.isClosed) return;
    if (next) {
      this.wasRead = true;
      this.state.setState({ ...next, datasets: next.datasets.map((copy) => this.withProblem(copy)) });
    } else {
      this.showUnavailable();
      // A database that was deleted is not made anew: another tab may have deleted it because the user logged out.
      if (!this.wasRead) this.refreshSoon(this.openingTries.next());
    }
  }

  private async read(): Promise<CopiesState> {
    if (!this.wasRead) await this.store.open();
    return readState(this.store);
  }

  /** Returns the state of a copy with a failure that could not be stored because the storage is full. */
  private withProblem(copy: CopyProgress): CopyProgress {
    const problem = this.downloader.problemOf(copy.datasetId);
    return problem !== undefined && copy.state === "running" ? { ...copy, state: "failed", problem } : copy;
  }

  private showUnavailable(): void {
    const { state } = this.state.getState();
    if (state === "unavailable" || this.isClosed) return;
    this.state.setState({ state: "unavailable", reason: state === "loaded" ? lost() : unavailable() });
  }
}

/** Returns the free storage of this browser in bytes, or null if the browser does not report it. */
async function freeBytes(): Promise<number | null> {
  const estimate = await globalThis.navigator?.storage?.estimate?.().catch(() => undefined);
  if (estimate?.quota === undefined) return null;
  return Math.max(0, estimate.quota - (estimate.usage ?? 0));
}
