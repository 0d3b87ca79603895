import { endsWithin } from "../../../shared/async/timeLimit";
import type { Change, Edit, WorkSession } from "../../../shared/edits/edit";
import { subjectOf } from "../../../shared/edits/subject";
import type { Metadata } from "../../../shared/entities/scalars";
import { getReach, onReturn } from "../../io/http/reachability";
import { uuid } from "../../io/uuid";
import { Journal, type NewCategoryRow, type Place } from "../journal/journal";
import { type AnnotationsByUuid, copyOfRows, squashRows } from "../journal/squash";
import { type Choice, type Conflict, subjectsOf } from "../journal/syncState";
import { MemoryJournal } from "./memoryJournal";
import type { Keep } from "./outcomes";
import type { Send } from "./push";
import type { CategoryOutcomes, CreateCategory } from "./pushCategories";
import { type AnswerListener, type Held, Pusher } from "./pusher";
import { Recorder } from "./recorder";
import { SaveStatus } from "./status";

/** Time that a decision about conflicts, or a reset, waits for what is being sent, in milliseconds. */
const SETTLE_MS = 3_000;

/**
 * Saves a user's edits: each one goes into IndexedDB first, and from there, in order, to the server. Exists while the
 * user is logged in, and longer in a tab where another user logs in. All tabs of the user share the journal and push it
 * one tab at a time.
 */
export class Sync {
  /** Identifies this tab to the server. New with each page load, so that no two tabs share it. */
  readonly client = uuid().replaceAll("-", "");
  private readonly journal: Journal;
  private readonly recorder: Recorder;
  private readonly status: SaveStatus;
  private readonly pusher: Pusher;
  private readonly stops: (() => void)[] = [];

  /** `name` identifies the user and the installation. */
  constructor(
    name: string,
    readonly send: Send,
    keep: Keep = async () => undefined,
    create: CreateCategory = async () => {
      throw new Error("This sync creates no categories.");
    },
  ) {
    const { client } = this;
    const journal = new Journal(name);
    const memory = new MemoryJournal();
    const recorder = new Recorder(client, journal, memory);
    const status = new SaveStatus(journal, memory);
    this.journal = journal;
    this.recorder = recorder;
    this.status = status;
    const isAway = () => getReach() === "away";
    this.pusher = new Pusher({ client, journal, memory, recorder, status, send, keep, create, isAway });
    this.stops.push(journal.onChange(() => void status.refresh()));
    if (typeof window !== "undefined") this.wakeWithWindow();
    void Promise.all([status.refresh(), recorder.keepHandedOver()]).then(() => this.pusher.wake());
  }

  get state() {
    return this.status.state;
  }

  /**
   * Journals edits, then sends them. Resolves when they are safe in this browser. `annotations`: the annotations that
   * the edits change, in their current state. `place` is where the edits were made.
   */
  async record(edits: readonly Edit[], annotations?: AnnotationsByUuid, place?: Place): Promise<void> {
    if (edits.length === 0) return;
    await this.status.whileWriting(() => this.recorder.record(edits, annotations, place));
    void this.flush();
  }

  /** Journals a work session. Also works as the last thing a page does before it closes. */
  async recordSession(session: WorkSession): Promise<void> {
    await this.recorder.recordSession(session);
    this.pusher.schedule(5_000);
  }

  async recordPreferences(preferences: Metadata): Promise<void> {
    await this.recorder.recordPreferences(preferences);
    this.pusher.schedule(1_000);
  }

  /** Returns preferences that the server may not have yet. */
  unsentPreferences(): Promise<Metadata> {
    return this.recorder.unsentPreferences();
  }

  /**
   * Deletes unsent preferences. Waits for what any tab is sending, since preferences that arrive later than a reset
   * would undo it.
   */
  async dropPreferences(): Promise<void> {
    await this.recorder.dropPreferences();
    await endsWithin(SETTLE_MS, this.flush());
  }

  /**
   * Returns the pending edits of an image, to apply on top of the server's scene. From now on this tab has seen them.
   */
  pendingOf(imageId: number): Promise<Edit[]> {
    return this.recorder.pendingOf(imageId);
  }

  /** Calls `listener` with the server's response to each edit that this tab sends. Returns a function that stops it. */
  onAnswer(listener: AnswerListener): () => void {
    return this.pusher.onAnswer(listener);
  }

  /** Returns the user's categories that the server does not have yet. */
  newCategories(): Promise<NewCategoryRow[]> {
    return this.journal.categories().catch(() => []);
  }

  /** Calls `listener` with the outcome of each category that this tab has sent. Returns a function that stops it. */
  onCategory(listener: Partial<CategoryOutcomes>): () => void {
    return this.pusher.onCategory(listener);
  }

  /** Returns true if a change came from this tab. */
  isOwn(change: Pick<Change, "client">): boolean {
    return change.client === this.client;
  }

  /** Sends everything queued. Resolves when nothing is left or sending is impossible at present. */
  flush(): Promise<void> {
    return this.pusher.flush();
  }

  /**
   * Resolves all conflicts of the given conflicts' subjects. "mine" sends them squashed, on the server's current
   * version; "theirs" drops them; "both" drops them too, and stores the user's annotation as a new one; "again" sends
   * them as they were made.
   */
  async resolve(conflicts: readonly Conflict[], choice: Choice): Promise<void> {
    const subjects = new Set(conflicts.map(({ edit }) => subjectOf(edit)));
    // Edits being sent that build on these are about to become conflicts, too, and belong to the same decision.
    await endsWithin(SETTLE_MS, this.flush());
    const rows = (await this.status.conflicts()).filter(({ edit }) => subjects.has(subjectOf(edit)));
    const ended = new Set(rows.map((row) => row.uuid));
    // In this order, so that the user's version is never lost if this is interrupted.
    const editOf = { mine: squashRows, both: copyOfRows, theirs: () => undefined, again: () => undefined }[choice];
    for (const subject of subjectsOf(rows)) {
      const made = editOf(subject);
      if (made) await this.record([made.edit], made.annotations, subject.at(-1)?.place);
      // A conflict that cannot be copied is not dropped either.
      else if (choice === "both") for (const row of subject) ended.delete(row.uuid);
    }
    await this.recorder.endConflicts(ended, choice);
    await this.status.refresh();
    if (choice === "again") void this.flush();
  }

  /**
   * Stops sending but still records edits, until `release` is called. If the server's data was restored or replaced,
   * the recorded edits wait for review.
   */
  hold(reason: Held): void {
    this.pusher.hold(reason);
  }

  release(): void {
    this.pusher.release();
  }

  /** Ends sending at once, and closes the journal when the edits recorded so far are written. */
  close(): void {
    this.end();
    void this.recorder.settled().then(() => this.journal.close());
  }

  /** Deletes the user's journal from the browser, including unsent edits. */
  async wipe(): Promise<void> {
    this.end();
    await this.recorder.wipe();
  }

  private end(): void {
    this.status.close();
    this.pusher.close();
    for (const stop of this.stops) stop();
  }

  private wakeWithWindow(): void {
    const wake = () => this.pusher.wake();
    window.addEventListener("online", wake);
    window.addEventListener("focus", wake);
    this.stops.push(
      () => window.removeEventListener("online", wake),
      () => window.removeEventListener("focus", wake),
      onReturn(wake),
    );
  }
}
