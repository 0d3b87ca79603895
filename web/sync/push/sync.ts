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
import { renewed, type Wholes } from "../journal/renewed";
import {
  type Choice,
  type Draft,
  isShutOut,
  newSyncState,
  type SyncState,
  statusOf,
  subjectsOf,
} from "../journal/syncState";
import { draftOf, seqsOf } from "./drafts";
import { type Ended, push, type Send, sendRest } from "./push";
import { Unkept } from "./unkept";

type AnswerListener = (edit: Edit, answer: EditAnswer) => void;

/**
 * Keeps what a person draws: every edit goes into IndexedDB first and from there, in order, to the server. Lives as long
 * as the person is logged in; all tabs of the person share the journal and push it one tab at a time.
 */
export class Sync {
  /** Names this tab to the server: new with each page load, so that no two tabs share one. */
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
  private readonly unkept = new Unkept();
  /** Writes, one after another: what is made later must not come before it, wherever each ends up. */
  private readonly writes = new SerialQueue();

  /** `name` names the person and the installation. */
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
   * Keeps edits, then sends them. Resolves when they are safe in this browser. `wholes`: the annotations that they change,
   * as they are now, by uuid. `place`: where the edits were made.
   */
  async record(edits: readonly Edit[], wholes?: Wholes, place?: Place): Promise<void> {
    if (edits.length === 0) return;
    const rows = edits.map((edit) => this.row(edit, wholes, place));
    this.show({ writing: this.state.getState().writing + 1 });
    await this.keep(rows);
    await this.refresh();
    this.show({ writing: this.state.getState().writing - 1 });
    void this.flush();
  }

  /** Also as the last thing that a page does. */
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

  /** Forgets them unsent. */
  async dropPreferences(): Promise<void> {
    await this.journal.removePreferences(await this.unsentPreferences()).catch(() => undefined);
  }

  /** The journal's edits of an image, to lay over what the server answered. From here on this tab has seen them. */
  async overlay(imageId: number): Promise<Edit[]> {
    const unkept = this.unkept.waiting().filter((row) => row.image_id === imageId);
    const rows = await this.journal.ofImage(imageId).catch(() => []);
    this.saw = Math.max(this.saw, ...rows.map(({ seq }) => seq));
    const queued = [...rows.filter(({ state }) => state === "queued"), ...unkept].map(({ edit }) => edit);
    return [...new Map(queued.map((edit) => [edit.uuid, edit])).values()];
  }

  /** Hears the answers to this tab's edits and to those adopted from other tabs. */
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
   * Decides on all drafts of these drafts' subjects: "mine" sends what they come to on the live version, "theirs" drops
   * them, "again" sends them as they were made.
   */
  async resolve(drafts: readonly Draft[], choice: Choice): Promise<void> {
    const subjects = new Set(drafts.map(({ edit }) => subjectOf(edit)));
    const rows = (await this.drafts()).filter(({ edit }) => subjects.has(subjectOf(edit)));
    const uuids = new Set(rows.map(({ uuid }) => uuid));
    // In this order: whatever happens in between, the person's version is there.
    for (const subject of choice === "mine" ? subjectsOf(rows) : []) {
      const mine = renewed(subject);
      if (mine) await this.record([mine.edit], mine.wholes, subject.at(-1)?.place);
    }
    await this.writes.add(async () => {
      for (const store of [this.unkept, this.journal]) {
        const seqs = await seqsOf(store, uuids);
        if (seqs.length > 0) await (choice === "again" ? store.requeue(seqs) : store.settle(seqs, []));
      }
    });
    await this.refresh();
    if (choice === "again") void this.flush();
  }

  /**
   * Sends nothing more, and goes on keeping what is drawn: the server's data were restored or replaced, and what is kept
   * here is for review.
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

  /** Removes this person's work from the browser, sent or not. */
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

  /** In the journal, or in memory where that is impossible. What is made later waits behind what is in memory. */
  private keep(rows: readonly NewRow[]): Promise<void> {
    return this.writes.add(async () => {
      if (this.unkept.waiting().length > 0) return this.unkept.add(rows);
      await this.journal.add(rows).catch(() => this.unkept.add(rows));
    });
  }

  /** Tries again to journal what was not possible before, drafts too. */
  private keepUnkept(): Promise<void> {
    return this.writes.add(async () => {
      const rows = this.unkept.all();
      if (rows.length === 0) return;
      const isKept = await this.journal.add(rows.map(({ seq: _, ...row }) => row)).then(
        () => true,
        () => false,
      );
      if (!isKept) return;
      const seqs = rows.map(({ seq }) => seq);
      await this.unkept.settle(seqs, []);
    });
  }

  private row(edit: Edit, wholes?: Wholes, place?: Place): NewRow {
    const whole = edit.subject === "annotation" ? wholes?.get(edit.target) : undefined;
    const more = { ...(whole && { rest: restOf(edit, whole) }), ...(place && { place }) };
    return { uuid: edit.uuid, client: this.client, image_id: edit.image_id, edit, saw: this.saw, ...more };
  }

  private async pushAll(): Promise<void> {
    // Only the browser's storage throws here: it was closed meanwhile, or is broken. The journal stays as it was.
    const phase = await oneTabAtATime(this.journal.name, () => this.pushOnce()).catch(() => "failing" as const);
    await this.after(phase);
  }

  private async pushOnce(): Promise<Ended> {
    await this.keepUnkept();
    for (;;) {
      if (this.closed) return "idle";
      if (this.retired) return "otherInstallation";
      // A user who must log in again keeps seeing that: a try changes nothing on screen before it succeeds.
      if (!isShutOut(this.state.getState().phase) && (await this.countPending()) > 0) this.show({ phase: "sending" });
      const phase = (await this.pushEdits()) ?? (await sendRest(this.journal, this.send, this.client));
      if (phase !== "again") return phase;
    }
  }

  /**
   * First the journal: what could not be journalled was made later and builds on it. A journal that cannot be read does
   * not keep that from being sent.
   */
  private async pushEdits(): Promise<Ended | undefined> {
    const announce = (rows: readonly JournalRow[], answers: readonly EditAnswer[]) => this.announce(rows, answers);
    const journalled = await push(this.journal, this.send, announce);
    if (this.closed) return "idle";
    if (this.retired) return "otherInstallation";
    if (journalled && journalled !== "unreadable") return journalled;
    const ended = await push(this.unkept, this.send, announce);
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
    const [pending, drafts] = await Promise.all([this.countPending(), this.drafts()]);
    this.show({ pending, conflicts: drafts.map(draftOf), memoryOnly: this.unkept.size > 0 });
  }

  /** Oldest first. */
  private async drafts(): Promise<JournalRow[]> {
    const journalled = await this.journal.drafts().catch(() => []);
    return [...journalled, ...this.unkept.drafts()];
  }

  private async countPending(): Promise<number> {
    const journalled = await this.journal.countQueued().catch(() => 0);
    return journalled + this.unkept.waiting().length;
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
