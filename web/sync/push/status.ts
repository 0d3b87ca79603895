import { Rerun } from "../../../shared/async/rerun";
import { Retry } from "../../../shared/async/retry";
import { afterPaint } from "../../io/afterPaint";
import type { Journal, JournalRow } from "../journal/journal";
import { isShutOut, newSyncState, type Phase, type SyncState, statusOf } from "../journal/syncState";
import { conflictOf } from "./conflicts";
import type { MemoryJournal } from "./memoryJournal";

/** The save indicator's state, which follows from the two journals, the pusher's phase and the running writes. */
export class SaveStatus {
  readonly state = newSyncState();
  private closed = false;
  /** Rows that the server has stored and the journal still has: they are saved, and not pending any more. */
  private stored: ReadonlySet<number> = new Set();
  /** Runs one refresh at a time, because each edit requests several and counting a day's edits takes milliseconds. */
  private readonly refreshing = new Rerun(() => this.readJournals());
  /** Reads again after a failure: nothing else may cause a refresh for a long time. */
  private readonly retry = new Retry(() => void this.refresh());

  constructor(
    private readonly journal: Journal,
    private readonly memory: MemoryJournal,
  ) {}

  showPhase(phase: Phase): void {
    this.show({ phase });
  }

  /**
   * Shows that edits are being sent, if there are any. Keeps showing that the user must log in or review: an attempt
   * changes nothing on screen until it succeeds.
   */
  async showSending(): Promise<void> {
    if (!isShutOut(this.state.getState().phase) && (await this.countPending()) > 0) this.showPhase("sending");
  }

  /** Runs `write`. Until the written edits are counted, shows that edits are being written. */
  async whileWriting(write: () => Promise<void>): Promise<void> {
    this.show({ writing: this.state.getState().writing + 1 });
    await write();
    await this.refresh();
    this.show({ writing: this.state.getState().writing - 1 });
  }

  /**
   * Stops counting exactly these rows of the journal as pending, because the server has stored them. Resolves when the
   * page shows the new number.
   */
  async showStored(seqs: readonly number[]): Promise<void> {
    if (seqs.length === 0 && this.stored.size === 0) return;
    this.stored = new Set(seqs);
    await this.refresh();
    if (seqs.length > 0) await afterPaint();
  }

  /** Counts the pending edits and reads the conflicts again. Resolves when the state shows them. */
  refresh(): Promise<void> {
    return this.refreshing.request();
  }

  private async readJournals(): Promise<void> {
    if (this.closed) return;
    let isUnreadable = false;
    const handleFailure = () => {
      isUnreadable = true;
    };
    const [pending, rows] = await Promise.all([this.countPending(handleFailure), this.conflicts(handleFailure)]);
    const conflicts = rows.map(conflictOf);
    if (this.closed) return;
    if (isUnreadable) this.retry.failed();
    else this.retry.succeeded();
    this.show({ pending, conflicts, memoryOnly: this.memory.size > 0, isRead: true, isUnreadable });
  }

  /** Returns the conflicts of both journals, oldest first; if the stored one cannot be read, those in memory. */
  async conflicts(onFailure?: () => void): Promise<JournalRow[]> {
    const journalled = await orElse(this.journal.conflicts(), [], onFailure);
    return [...journalled, ...this.memory.conflicts()];
  }

  close(): void {
    this.closed = true;
    this.retry.stop();
  }

  private async countPending(onFailure?: () => void): Promise<number> {
    const journalled = await orElse(this.journal.countQueued(this.stored), 0, onFailure);
    const categories = await orElse(this.journal.categories(), [], onFailure);
    return categories.length + journalled + this.memory.pending().length;
  }

  /** Changes the state and the status that follows from it. */
  private show(change: Partial<Omit<SyncState, "status">>): void {
    const state = { ...this.state.getState(), ...change };
    this.state.setState({ ...state, status: statusOf(state) });
  }
}

/** Returns the result of a read; `none` after calling `onFailure` if it fails. */
const orElse = <T>(read: Promise<T>, none: T, onFailure?: () => void): Promise<T> =>
  read.catch(() => {
    onFailure?.();
    return none;
  });
