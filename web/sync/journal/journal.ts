import Dexie, { type Table } from "dexie";
import { withinTime } from "../../../shared/async/timeLimit";
import type { WorkSession } from "../../../shared/edits/edit";
import type { CategoryInput } from "../../../shared/entities/category";
import type { Json, Metadata } from "../../../shared/entities/scalars";
import { EDIT_TABLE, EditTable } from "./editTable";
import type { JournalRow, NewRow } from "./journalRow";

export type { JournalRow, NewRow, Place } from "./journalRow";

/** A category that the user created offline. Edits already refer to its `id`, which the server has reserved. */
export interface NewCategoryRow {
  id: number;
  input: CategoryInput;
  dataset_id: number;
}

/** Time limit for opening the database, in milliseconds: some browsers never respond. */
const OPENING_MS = 4_000;

/**
 * Edits and categories of one user in this browser that the server has not acknowledged. Each user and installation has
 * a separate database, so that no other user sees or sends them. If the browser cannot open the database, every call
 * rejects; if the database opens late, later calls succeed.
 */
export class Journal {
  private readonly dexie: Dexie;
  private readonly edits: EditTable;
  private readonly sessions: Table<WorkSession & { client: string }, string>;
  private readonly preferences: Table<{ key: string; value: Json }, string>;
  private readonly newCategories: Table<NewCategoryRow, number>;
  private opening: Promise<void> | undefined;
  /** Set by `close` and `wipe`. Later calls reject. */
  private isClosed = false;

  constructor(readonly name: string) {
    this.dexie = new Dexie(name);
    this.dexie.version(1).stores({
      edits: EDIT_TABLE.first,
      sessions: "uuid",
      preferences: "key",
    });
    this.dexie.version(2).stores({ categories: "id" });
    this.dexie.version(3).stores({ edits: EDIT_TABLE.withPacks });
    this.edits = new EditTable(this.dexie);
    this.newCategories = this.dexie.table("categories");
    this.sessions = this.dexie.table("sessions");
    this.preferences = this.dexie.table("preferences");
  }

  /** Appends all rows or none. Conflicts keep their state. Resolves when the browser has stored them. */
  async add(rows: readonly (NewRow | Omit<JournalRow, "seq">)[]): Promise<void> {
    await this.opened();
    await this.edits.add(rows.map((row) => ({ state: "queued" as const, ...row })));
  }

  /** Returns the oldest queued edits in order; if `after` is given, only edits after that `seq`. */
  async queued(limit: number, after?: number): Promise<JournalRow[]> {
    await this.opened();
    return this.edits.queued(limit, after);
  }

  /** Returns the number of queued edits, not counting those with these `seq`. */
  async countQueued(without?: ReadonlySet<number>): Promise<number> {
    await this.opened();
    return this.edits.countQueued(without);
  }

  async ofImage(imageId: number): Promise<JournalRow[]> {
    await this.opened();
    return this.edits.ofImage(imageId);
  }

  /** Returns all rows, queued and in conflict, in the order in which they were made. */
  async all(): Promise<JournalRow[]> {
    await this.opened();
    return this.edits.all();
  }

  async sessionsOfImage(imageId: number): Promise<(WorkSession & { client: string })[]> {
    await this.opened();
    return this.sessions.filter((session) => session.image_id === imageId).toArray();
  }

  async conflicts(): Promise<JournalRow[]> {
    await this.opened();
    return this.edits.conflicts();
  }

  async lastSeq(): Promise<number> {
    await this.opened();
    return this.edits.lastSeq();
  }

  /**
   * Stores the outcome of queued rows in one transaction: deletes `done`, replaces `changed`. Skips rows that another
   * tab has settled or the user has decided on in the meantime.
   */
  async settle(done: readonly number[], changed: readonly JournalRow[]): Promise<void> {
    await this.opened();
    await this.edits.settle(done, changed);
  }

  /** Queues conflicts for the server again, at their old place in the order. */
  async requeue(seqs: readonly number[]): Promise<void> {
    await this.opened();
    await this.edits.requeue(seqs);
  }

  async addSession(session: WorkSession, client: string): Promise<void> {
    await this.opened();
    await this.sessions.put({ ...session, client });
  }

  async someSessions(limit: number): Promise<(WorkSession & { client: string })[]> {
    await this.opened();
    return this.sessions.limit(limit).toArray();
  }

  async removeSessions(uuids: readonly string[]): Promise<void> {
    await this.opened();
    return this.sessions.bulkDelete([...uuids]);
  }

  /** Stores a preference; the last value of a key wins. */
  async setPreference(key: string, value: Json): Promise<void> {
    await this.opened();
    await this.preferences.put({ key, value });
  }

  async allPreferences(): Promise<Metadata> {
    await this.opened();
    const rows = await this.preferences.toArray();
    return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
  }

  /** Removes sent preferences, unless they have changed since. */
  async removePreferences(sent: Metadata): Promise<void> {
    await this.opened();
    return this.dexie.transaction("rw", this.preferences, async () => {
      for (const [key, value] of Object.entries(sent)) {
        const now = await this.preferences.get(key);
        if (JSON.stringify(now?.value) === JSON.stringify(value)) await this.preferences.delete(key);
      }
    });
  }

  async addCategory(row: NewCategoryRow): Promise<void> {
    await this.opened();
    await this.newCategories.add(row);
  }

  /** Returns the categories that the server does not have yet, in the order in which they were made. */
  async categories(): Promise<NewCategoryRow[]> {
    await this.opened();
    return this.newCategories.orderBy("id").toArray();
  }

  async removeCategory(id: number): Promise<void> {
    await this.opened();
    await this.newCategories.delete(id);
  }

  /** Calls `listener` whenever this or another tab changes edits or categories. Returns a function that stops it. */
  onChange(listener: () => void): () => void {
    const handleMutation = (parts: object) => {
      const isWatched = (part: string) =>
        part.includes(`/${this.name}/edits`) || part.includes(`/${this.name}/categories`);
      if (Object.keys(parts).some(isWatched)) listener();
    };
    Dexie.on("storagemutated", handleMutation);
    return () => Dexie.on("storagemutated").unsubscribe(handleMutation);
  }

  close(): void {
    this.isClosed = true;
    this.dexie.close();
  }

  /** Deletes the database. */
  async wipe(): Promise<void> {
    this.isClosed = true;
    await inTime(this.dexie.delete());
  }

  /** Opens the database lazily. While the browser does not respond, one call waits; later ones reject at once. */
  private async opened(): Promise<void> {
    if (this.isClosed || this.dexie.isOpen()) this.opening = undefined;
    else this.opening ??= inTime(this.open());
    return this.opening;
  }

  /**
   * Opens the database, or rejects; the next call tries again then. Dexie itself opens a database once, and after a
   * failure rejects every query.
   */
  private async open(): Promise<void> {
    try {
      await this.dexie.open();
    } catch (error) {
      this.opening = undefined;
      throw error;
    }
  }
}

/** Rejects if the browser does not respond in time. */
async function inTime(asked: PromiseLike<unknown>): Promise<void> {
  await withinTime(OPENING_MS, asked, () => new Error("The browser's storage does not respond."));
}
