import { BackOff } from "../../../shared/async/backOff";
import { Rerun } from "../../../shared/async/rerun";
import { SerialQueue } from "../../../shared/async/serialQueue";
import type { Change, Edit, EditAnswer, WorkSession } from "../../../shared/edits/edit";
import { subjectOf } from "../../../shared/edits/subject";
import type { AnnotationFields } from "../../../shared/entities/annotation";
import type { Metadata } from "../../../shared/entities/scalars";
import { uuid } from "../../io/uuid";
import { Handover } from "../journal/handover";
import { Journal, type JournalRow, type NewRow, type Place } from "../journal/journal";
import { oneTabAtATime } from "../journal/oneTab";
import { type AnnotationsByUuid, squashRows } from "../journal/squash";
import {
  type Choice,
  type Conflict,
  isShutOut,
  newSyncState,
  type SyncState,
  statusOf,
  subjectsOf,
} from "../journal/syncState";
import { conflictOf, seqsOfConflicts } from "./conflicts";
import { MemoryJournal } from "./memoryJournal";
import { type Ended, push, type Send, sendRest } from "./push";

type AnswerListener = (edit: Edit, answer: EditAnswer) => void;

/**
 * Saves a user's edits: each one goes into IndexedDB first, and from there, in order, to the server. Exists while the
 * user is logged in. All tabs of the user share the journal and push it one tab at a time.
 */
export class Sync {
  /** Identifies this tab to the server. New with each page load, so that no two tabs share it. */
  readonly client = uuid().replaceAll("-", "");
  readonly state = newSyncState();
  private readonly journal: Journal;
  private readonly handover: Handover;
  private readonly listeners = new Set<AnswerListener>();
  private readonly stops: (() => void)[] = [];
  private saw = 0;
  private readonly backOff = new BackOff();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly pushing = new Rerun(() => this.pushAll());
  private closed = false;
  private retired = false;
  private readonly memory = new MemoryJournal();
  /** Runs writes to both journals one after another, so that edits keep their order. */
  private readonly writes = new SerialQueue();

  /** `name` identifies the user and the installation. */
  constructor(
    name: string,
    readonly send: Send,
  ) {
    this.journal = new Journal(name);
    this.handover = new Handover(name);
    this.stops.push(this.journal.onChange(() => void this.refresh()));
    if (typeof window !== "undefined") {
      const wake = () => this.wake();
      window.addEventListener("online", wake);
      window.addEventListener("focus", wake);
      this.stops.push(
        () => window.removeEventListener("online", wake),
        () => window.removeEventListener("focus", wake),
      );
    }
    const left = this.handover.all().map((session) => this.keepSession(session));
    void Promise.all([this.refresh(), ...left]).then(() => this.wake());
  }

  /**
   * Journals edits, then sends them. Resolves when they are safe in this browser. `annotations` are those that the
   * edits change, in their current state. `place` is where the edits were made.
   */
  async record(edits: readonly Edit[], annotations?: AnnotationsByUuid, place?: Place): Promise<void> {
    if (edits.length === 0) return;
    const rows = edits.map((edit) => this.row(edit, annotations, place));
    this.show({ writing: this.state.getState().writing + 1 });
    await this.writeRows(rows);
    await this.refresh();
    this.show({ writing: this.state.getState().writing - 1 });
    void this.flush();
  }

  /** Journals a work session. Also works as the last thing a page does before it closes. */
  async recordSession(session: WorkSession): Promise<void> {
    this.handover.put(session);
    await this.keepSession(session);
    this.schedule(5_000);
  }

  async recordPreferences(preferences: Metadata): Promise<void> {
    for (const [key, value] of Object.entries(preferences))
      await this.journal.setPreference(key, value).catch(() => undefined);
    this.schedule(1_000);
  }

  /** Returns preferences that the server may not have yet. */
  unsentPreferences(): Promise<Metadata> {
    return this.journal.allPreferences().catch(() => ({}));
  }

  /** Deletes unsent preferences. */
  async dropPreferences(): Promise<void> {
    await this.journal.removePreferences(await this.unsentPreferences()).catch(() => undefined);
  }

  /**
   * Returns the pending edits of an image, to apply on top of the server's scene. From now on this tab has seen them.
   */
  async overlay(imageId: number): Promise<Edit[]> {
    const memory = this.memory.pending().filter((row) => row.image_id === imageId);
    const rows = await this.journal.ofImage(imageId).catch(() => []);
    this.saw = Math.max(this.saw, ...rows.map(({ seq }) => seq));
    const queued = [...rows.filter(({ state }) => state === "queued"), ...memory].map(({ edit }) => edit);
    return [...new Map(queued.map((edit) => [edit.uuid, edit])).values()];
  }

  /** Calls `listener` with the server's response to each edit that this tab sends. Returns a function that stops it. */
  onAnswer(listener: AnswerListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Returns true if a change came from this tab. */
  isOwn(change: Pick<Change, "client">): boolean {
    return change.client === this.client;
  }

  /** Sends what is queued. Resolves when nothing is left or sending is impossible at present. */
  flush(): Promise<void> {
    return this.pushing.request();
  }

  /**
   * Resolves all conflicts of the given conflicts' subjects. "mine" sends them squashed, on the server's current
   * version; "theirs" drops them; "again" sends them as they were made.
   */
  async resolve(conflicts: readonly Conflict[], choice: Choice): Promise<void> {
    const subjects = new Set(conflicts.map(({ edit }) => subjectOf(edit)));
    const rows = (await this.conflicts()).filter(({ edit }) => subjects.has(subjectOf(edit)));
    const uuids = new Set(rows.map(({ uuid }) => uuid));
    // In this order, so that the user's version is never lost if this is interrupted.
    for (const subject of choice === "mine" ? subjectsOf(rows) : []) {
      const mine = squashRows(subject);
      if (mine) await this.record([mine.edit], mine.annotations, subject.at(-1)?.place);
    }
    await this.writes.add(async () => {
      for (const store of [this.memory, this.journal]) {
        const seqs = await seqsOfConflicts(store, uuids);
        if (seqs.length > 0) await (choice === "again" ? store.requeue(seqs) : store.settle(seqs, []));
      }
    });
    await this.refresh();
    if (choice === "again") void this.flush();
  }

  /**
   * Stops sending but still records edits, because the server's data was restored or replaced. The recorded edits wait
   * for review.
   */
  retire(): void {
    this.retired = true;
    this.show({ phase: "otherInstallation" });
    clearTimeout(this.timer);
  }

  close(): void {
    this.end();
    this.journal.close();
  }

  /** Deletes the user's journal from the browser, including unsent edits. */
  async wipe(): Promise<void> {
    this.end();
    this.handover.wipe();
    await this.journal.wipe();
  }

  private end(): void {
    this.closed = true;
    this.pushing.stop();
    clearTimeout(this.timer);
    for (const stop of this.stops) stop();
  }

  private async keepSession(session: WorkSession): Promise<void> {
    const kept = await this.journal.addSession(session, this.client).then(
      () => true,
      () => false,
    );
    if (kept) this.handover.drop(session.uuid);
  }

  /** Writes rows to the journal, or to memory if that fails. Rows follow those already in memory, to keep the order. */
  private writeRows(rows: readonly NewRow[]): Promise<void> {
    return this.writes.add(async () => {
      if (this.memory.pending().length > 0) return this.memory.add(rows);
      await this.journal.add(rows).catch(() => this.memory.add(rows));
    });
  }

  /** Tries again to journal the rows in memory, including conflicts. */
  private journalMemory(): Promise<void> {
    return this.writes.add(async () => {
      const rows = this.memory.all();
      if (rows.length === 0) return;
      const isKept = await this.journal.add(rows.map(({ seq: _, ...row }) => row)).then(
        () => true,
        () => false,
      );
      if (!isKept) return;
      const seqs = rows.map(({ seq }) => seq);
      await this.memory.settle(seqs, []);
    });
  }

  private row(edit: Edit, annotations?: AnnotationsByUuid, place?: Place): NewRow {
    const whole = edit.subject === "annotation" ? annotations?.get(edit.target) : undefined;
    const more = { ...(whole && { rest: restOf(edit, whole) }), ...(place && { place }) };
    return { uuid: edit.uuid, client: this.client, image_id: edit.image_id, edit, saw: this.saw, ...more };
  }

  private async pushAll(): Promise<void> {
    // Only the browser's storage throws here, if it was closed or is broken. The journal is unchanged then.
    const phase = await oneTabAtATime(this.journal.name, () => this.pushOnce()).catch(() => "failing" as const);
    await this.after(phase);
  }

  private async pushOnce(): Promise<Ended> {
    await this.journalMemory();
    for (;;) {
      if (this.closed) return "idle";
      if (this.retired) return "otherInstallation";
      // Keeps showing that the user must log in or review: an attempt changes nothing on screen until it succeeds.
      if (!isShutOut(this.state.getState().phase) && (await this.countPending()) > 0) this.show({ phase: "sending" });
      const phase = (await this.pushEdits()) ?? (await sendRest(this.journal, this.send, this.client));
      if (phase !== "again") return phase;
    }
  }

  /**
   * Sends the journal first: edits in memory were made later and build on it. If the journal cannot be read, sends
   * those in memory anyway.
   */
  private async pushEdits(): Promise<Ended | undefined> {
    const announce = (rows: readonly JournalRow[], answers: readonly EditAnswer[]) => this.announce(rows, answers);
    const journalled = await push(this.journal, this.send, announce);
    if (this.closed) return "idle";
    if (this.retired) return "otherInstallation";
    if (journalled && journalled !== "unreadable") return journalled;
    const ended = await push(this.memory, this.send, announce);
    return failingIfUnreadable(ended ?? journalled);
  }

  private async after(phase: Ended): Promise<void> {
    if (this.closed) return;
    this.show({ phase });
    await this.refresh();
    if (phase === "idle" || isShutOut(phase)) {
      this.backOff.reset();
      return;
    }
    this.schedule(this.backOff.next());
  }

  private announce(rows: readonly JournalRow[], answers: readonly EditAnswer[]): void {
    for (const { edit } of rows) this.tell(edit, answers);
  }

  private tell(edit: Edit, answers: readonly EditAnswer[]): void {
    const answer = answers.find(({ uuid }) => uuid === edit.uuid);
    if (answer) for (const listener of this.listeners) listener(edit, answer);
  }

  private async refresh(): Promise<void> {
    if (this.closed) return;
    const [pending, conflicts] = await Promise.all([this.countPending(), this.conflicts()]);
    this.show({ pending, conflicts: conflicts.map(conflictOf), memoryOnly: this.memory.size > 0 });
  }

  /** Returns the conflicts of both journals, oldest first. */
  private async conflicts(): Promise<JournalRow[]> {
    const journalled = await this.journal.conflicts().catch(() => []);
    return [...journalled, ...this.memory.conflicts()];
  }

  private async countPending(): Promise<number> {
    const journalled = await this.journal.countQueued().catch(() => 0);
    return journalled + this.memory.pending().length;
  }

  /** Changes the state and the status that follows from it. */
  private show(change: Partial<Pick<SyncState, "phase" | "writing" | "pending" | "conflicts" | "memoryOnly">>): void {
    const state = { ...this.state.getState(), ...change };
    this.state.setState({ ...state, status: statusOf(state) });
  }

  private wake(): void {
    this.backOff.reset();
    void this.flush();
  }

  private schedule(ms: number): void {
    clearTimeout(this.timer);
    if (!this.closed && !this.retired) this.timer = setTimeout(() => void this.flush(), ms);
  }
}

const failingIfUnreadable = (ended: Ended | "unreadable" | undefined) => (ended === "unreadable" ? "failing" : ended);

function restOf({ after }: Edit, whole: Partial<AnnotationFields>): Partial<AnnotationFields> {
  return Object.fromEntries(Object.entries(whole).filter(([key]) => !Object.hasOwn(after, key)));
}
