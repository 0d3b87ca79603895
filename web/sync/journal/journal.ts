import Dexie, { type Table } from "dexie";
import { withinTime } from "../../../shared/async/timeLimit";
import type { Edit, RefusalCode, WorkSession } from "../../../shared/edits/edit";
import type { AnnotationFields } from "../../../shared/entities/annotation";
import type { CategoryInput } from "../../../shared/entities/category";
import type { Json, Metadata } from "../../../shared/entities/scalars";

/**
 * Names for the ids in an edit, so that the same image can be found in another installation. `path` is relative to the
 * dataset's folder, sizes are in pixels, `categories` are names by id.
 */
export interface Place {
  dataset: string;
  path: string;
  width: number;
  height: number;
  categories: Record<number, string>;
}

/** An edit in the journal. `seq` is the order in which the user made edits in this browser, across all tabs. */
export interface JournalRow {
  seq: number;
  uuid: string;
  /** The tab that made the edit. The server does not treat changes by the same client as conflicts. */
  client: string;
  image_id: number;
  edit: Edit;
  /** Highest `seq` of other tabs' edits that the tab's document contained. Used by `rebase` in settle.ts. */
  saw: number;
  /**
   * Annotations only: the fields that the edit does not change, as its author saw them. An annotation that the server
   * has lost can be created again from them. Missing in rows of earlier versions.
   */
  rest?: Partial<AnnotationFields>;
  /** Missing in rows of earlier versions. */
  place?: Place;
  /** `queued`: waits for the server. `draft`: a conflict, which waits for the user to decide. */
  state: "queued" | "draft";
  /** Conflicts only: the fields, the server's version (null: deleted), the subject's revision, and the reason. */
  fields?: string[];
  stored?: Json;
  revision?: number;
  reason?: string;
  /** Conflicts only: the user who changed the subject last, and the time as an ISO date. */
  changed_by?: string;
  changed_at?: string;
  /** Missing in conflicts of earlier versions until they are sent again. */
  code?: RefusalCode;
}

/** A category that the user made without the server. Edits already refer to it by `id`, which the server reserved. */
export interface NewCategoryRow {
  id: number;
  input: CategoryInput;
  dataset_id: number;
}

/** Time limit for opening the database, in milliseconds: some browsers never respond. */
const OPENING_MS = 4_000;

/** Returns a row as it was first queued, without the server's response. */
export const requeued = ({ seq, uuid, client, image_id, edit, saw, rest, place }: JournalRow): JournalRow => ({
  ...{ seq, uuid, client, image_id, edit, saw, ...(rest && { rest }), ...(place && { place }) },
  state: "queued",
});

export type NewRow = Omit<JournalRow, "seq" | "state">;

/**
 * Edits and categories of one user in this browser that the server has not acknowledged. Each user and installation has a separate
 * database, so that no other user sees or sends them. If the browser cannot open it, every call rejects; if it opens
 * late, later calls succeed.
 */
export class Journal {
  private readonly dexie: Dexie;
  private readonly edits: Table<JournalRow, number>;
  private readonly sessions: Table<WorkSession & { client: string }, string>;
  private readonly preferences: Table<{ key: string; value: Json }, string>;
  private readonly newCategories: Table<NewCategoryRow, number>;
  private opening: Promise<void> | undefined;

  constructor(readonly name: string) {
    this.dexie = new Dexie(name);
    this.dexie.version(1).stores({
      edits: "++seq, &uuid, [state+seq], image_id",
      sessions: "uuid",
      preferences: "key",
    });
    this.dexie.version(2).stores({ categories: "id" });
    this.edits = this.dexie.table("edits");
    this.newCategories = this.dexie.table("categories");
    this.sessions = this.dexie.table("sessions");
    this.preferences = this.dexie.table("preferences");
  }

  /** Appends all rows or none. Conflicts keep their state. Resolves when the browser has stored them. */
  async add(rows: readonly (NewRow | Omit<JournalRow, "seq">)[]): Promise<void> {
    const added = rows.map((row) => ({ state: "queued" as const, ...row }) as JournalRow);
    await this.opened();
    await this.dexie.transaction("rw", this.edits, () => this.edits.bulkAdd(added));
  }

  /** Returns the oldest queued edits in order, only those after `after` if it is given. */
  async queued(limit: number, after?: number): Promise<JournalRow[]> {
    await this.opened();
    return this.edits
      .where("[state+seq]")
      .between(["queued", after ?? Dexie.minKey], ["queued", Dexie.maxKey], after === undefined)
      .limit(limit)
      .toArray();
  }

  async countQueued(): Promise<number> {
    await this.opened();
    return this.edits.where("[state+seq]").between(["queued", Dexie.minKey], ["queued", Dexie.maxKey]).count();
  }

  async ofImage(imageId: number): Promise<JournalRow[]> {
    await this.opened();
    return this.edits.where("image_id").equals(imageId).sortBy("seq");
  }

  /** Returns all rows, queued and in conflict, in the order in which they were made. */
  async all(): Promise<JournalRow[]> {
    await this.opened();
    return this.edits.orderBy("seq").toArray();
  }

  async sessionsOfImage(imageId: number): Promise<(WorkSession & { client: string })[]> {
    await this.opened();
    return this.sessions.filter((session) => session.image_id === imageId).toArray();
  }

  async conflicts(): Promise<JournalRow[]> {
    await this.opened();
    return this.edits.where("[state+seq]").between(["draft", Dexie.minKey], ["draft", Dexie.maxKey]).toArray();
  }

  async lastSeq(): Promise<number> {
    await this.opened();
    return (await this.edits.orderBy("seq").last())?.seq ?? 0;
  }

  /**
   * Stores the outcome of queued rows in one transaction: deletes `done`, replaces `changed`. Skips rows that another
   * tab has settled or the user has decided on in the meantime.
   */
  async settle(done: readonly number[], changed: readonly JournalRow[]): Promise<void> {
    await this.opened();
    return this.dexie.transaction("rw", this.edits, async () => {
      await this.edits.bulkDelete([...done]);
      const stored = await this.edits.bulkGet(changed.map(({ seq }) => seq));
      await this.edits.bulkPut(changed.filter((_, i) => stored[i]?.state === "queued"));
    });
  }

  /** Queues conflicts for the server again, at their place in the order. */
  async requeue(seqs: readonly number[]): Promise<void> {
    await this.opened();
    await this.edits
      .where("seq")
      .anyOf([...seqs])
      .modify((row, place) => {
        place.value = requeued(row);
      });
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
    this.dexie.close();
  }

  /** Deletes the database. */
  async wipe(): Promise<void> {
    await inTime(this.dexie.delete());
  }

  /** Opens the database lazily. Errors surface from the query that needed it. */
  private async opened(): Promise<void> {
    if (this.dexie.isOpen()) this.opening = undefined;
    else this.opening ??= inTime(this.edits.limit(1).primaryKeys().then(nothing, nothing));
    return this.opening;
  }
}

const nothing = () => undefined;

/** Rejects if the browser does not respond in time. */
async function inTime(asked: PromiseLike<unknown>): Promise<void> {
  await withinTime(OPENING_MS, asked, () => new Error("The browser's storage does not respond."));
}
