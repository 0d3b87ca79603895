import { BackOff } from "../../../shared/async/backOff";
import { Rerun } from "../../../shared/async/rerun";
import type { Edit, EditAnswer } from "../../../shared/edits/edit";
import type { Journal, JournalRow } from "../journal/journal";
import { oneTabAtATime } from "../journal/oneTab";
import { isShutOut } from "../journal/syncState";
import type { MemoryJournal } from "./memoryJournal";
import type { Keep } from "./outcomes";
import { type Ended, push, type Send, sendRest } from "./push";
import { type CategoryOutcomes, type CreateCategory, pushCategories } from "./pushCategories";
import type { Recorder } from "./recorder";
import type { SaveStatus } from "./status";

export type AnswerListener = (edit: Edit, answer: EditAnswer) => void;

/** Reason to send nothing: another user is logged in in this tab, or the server's data was restored or replaced. */
export type Held = "otherUser" | "otherInstallation";

interface Parts {
  /** Identifies this tab. */
  client: string;
  journal: Journal;
  memory: MemoryJournal;
  recorder: Recorder;
  status: SaveStatus;
  send: Send;
  keep: Keep;
  create: CreateCategory;
  /** Returns true while the server is known to be away, so that nothing is tried. */
  isAway: () => boolean;
}

/**
 * Sends recorded edits, categories, sessions and preferences, in one tab at a time. Tries again later if that fails.
 */
export class Pusher {
  private readonly listeners = new Set<AnswerListener>();
  private readonly categoryListeners = new Set<Partial<CategoryOutcomes>>();
  private readonly backOff = new BackOff();
  private readonly pushing = new Rerun(() => this.pushAll());
  private timer: ReturnType<typeof setTimeout> | undefined;
  private closed = false;
  /** Reason why nothing is sent at present. */
  private held: Held | undefined;

  constructor(private readonly parts: Parts) {}

  /** Calls `listener` with the server's response to each edit that this tab sends. Returns a function that stops it. */
  onAnswer(listener: AnswerListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Calls `listener` with the outcome of each category that this tab has sent. Returns a function that stops it. */
  onCategory(listener: Partial<CategoryOutcomes>): () => void {
    this.categoryListeners.add(listener);
    return () => this.categoryListeners.delete(listener);
  }

  /** Sends everything queued. Resolves when nothing is left or sending is impossible at present. */
  flush(): Promise<void> {
    return this.pushing.request();
  }

  /** Sends at once, and starts again with short pauses between attempts. */
  wake(): void {
    this.backOff.reset();
    void this.flush();
  }

  /** Sends after `ms` milliseconds instead of at the time scheduled before. */
  schedule(ms: number): void {
    clearTimeout(this.timer);
    if (!this.closed && !this.held) this.timer = setTimeout(() => void this.flush(), ms);
  }

  /** Stops sending until `release` is called. */
  hold(reason: Held): void {
    this.held = reason;
    this.parts.status.showPhase(reason);
    clearTimeout(this.timer);
  }

  release(): void {
    this.held = undefined;
    this.parts.status.showPhase("waiting");
    this.wake();
  }

  close(): void {
    this.closed = true;
    this.pushing.stop();
    clearTimeout(this.timer);
  }

  private async pushAll(): Promise<void> {
    // Reading would create the journal again if the user has logged out in another tab.
    if (this.held && this.parts.memory.size === 0) return;
    // Only the browser's storage throws here, if it was closed or is broken. The journal is unchanged then.
    const phase = await oneTabAtATime(this.parts.journal.name, () => this.pushOnce()).catch(() => "failing" as const);
    await this.after(phase);
  }

  private async pushOnce(): Promise<Ended> {
    const { recorder, status, journal, send, client, isAway } = this.parts;
    await recorder.journalMemory();
    for (;;) {
      if (this.closed) return "idle";
      if (this.held) return this.held;
      // Reading the queue with each new edit would be useless, and ever slower in a day without a network.
      if (isAway()) return "offline";
      await status.showSending();
      const phase =
        (await this.pushCategories()) ?? (await this.pushEdits()) ?? (await sendRest(journal, send, client));
      if (phase !== "again") return phase;
    }
  }

  private pushCategories(): Promise<Ended | undefined> {
    const { journal, create } = this.parts;
    return pushCategories(journal, create, {
      onCreated: (category, row) => {
        for (const listener of this.categoryListeners) listener.onCreated?.(category, row);
      },
      onRefused: (row, reason) => {
        for (const listener of this.categoryListeners) listener.onRefused?.(row, reason);
      },
    });
  }

  /**
   * Sends the journal first: edits in memory were made later and build on it. If the journal cannot be read, sends the
   * edits in memory anyway.
   */
  private async pushEdits(): Promise<Ended | undefined> {
    const { journal, memory, send, keep, status } = this.parts;
    const announce = (rows: readonly JournalRow[], answers: readonly EditAnswer[]) => this.announce(rows, answers);
    const journalled = await push(journal, send, announce, keep, (seqs) => status.showStored(seqs));
    if (this.closed) return "idle";
    if (this.held) return this.held;
    if (journalled && journalled !== "unreadable") return journalled;
    const ended = await push(memory, send, announce, keep);
    return failingIfUnreadable(ended ?? journalled);
  }

  private async after(ended: Ended): Promise<void> {
    if (this.closed) return;
    const phase = this.held ?? ended;
    this.parts.status.showPhase(phase);
    await this.parts.status.refresh();
    if (phase === "idle" || isShutOut(phase)) {
      this.backOff.reset();
      return;
    }
    this.schedule(this.backOff.next());
  }

  private announce(rows: readonly JournalRow[], answers: readonly EditAnswer[]): void {
    const byUuid = new Map(answers.map((answer) => [answer.uuid, answer]));
    for (const { edit } of rows) {
      const answer = byUuid.get(edit.uuid);
      if (answer) for (const listener of this.listeners) listener(edit, answer);
    }
  }
}

const failingIfUnreadable = (ended: Ended | "unreadable" | undefined) => (ended === "unreadable" ? "failing" : ended);
