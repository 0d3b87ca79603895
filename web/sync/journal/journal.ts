import Dexie, { type Table } from "dexie";
import { withinTime } from "../../../shared/async/timeLimit";
import type { Edit, RefusalCode, WorkSession } from "../../../shared/edits/edit";
import type { AnnotationFields } from "../../../shared/entities/annotation";
import type { Json, Metadata } from "../../../shared/entities/scalars";

/**
 * Names of what numbers in an edit mean where it was made: in another installation the same image is found by them.
 * `path` is relative to the dataset's folder, sizes are in pixels, `categories` are names by number.
 */
export interface Place {
  dataset: string;
  path: string;
  width: number;
  height: number;
  categories: Record<number, string>;
}

/** An edit in the journal. `seq` is the order in which edits were made in this browser by this person, over all tabs. */
export interface JournalRow {
  seq: number;
  uuid: string;
  /** The tab that made it; the server counts later changes by the same client as its own. */
  client: string;
  image_id: number;
  edit: Edit;
  /** Highest `seq` of other tabs' edits in the tab's document: such earlier edits are no strangers, see `rebase`. */
  saw: number;
  /**
   * Of an annotation: the fields that the edit leaves alone, as its maker saw them. What the server has lost can be made
   * again from it. Rows of earlier versions have none.
   */
  rest?: Partial<AnnotationFields>;
  /** Rows of earlier versions have none. */
  place?: Place;
  /** `queued` waits for the server; a `draft` waits for the person, who keeps one version. */
  state: "queued" | "draft";
  /** Of a draft: the fields in conflict, the live version (null: deleted) and the subject's revision, why. */
  fields?: string[];
  stored?: Json;
  revision?: number;
  reason?: string;
  /** Drafts of earlier versions have none until they are sent again. */
  code?: RefusalCode;
}

/** Time limit for the browser to open the database: some never respond. */
const OPENING_MS = 4_000;

/** As it was when it was made, without what the server said of it. */
export const requeued = ({ seq, uuid, client, image_id, edit, saw, rest, place }: JournalRow): JournalRow => ({
  ...{ seq, uuid, client, image_id, edit, saw, ...(rest && { rest }), ...(place && { place }) },
  state: "queued",
});

export type NewRow = Omit<JournalRow, "seq" | "state">;

/**
 * Edits of one user in this browser that the server has not acknowledged. A database of its own for each person
 * and installation, so that nobody else sees or sends it. Where the browser does not open it, every call rejects; if it
 * opens late, it is used from then on.
 */
export class Journal {
  private readonly dexie: Dexie;
  private readonly edits: Table<JournalRow, number>;
  private readonly sessions: Table<WorkSession & { client: string }, string>;
  private readonly preferences: Table<{ key: string; value: Json }, string>;
  private opening: Promise<void> | undefined;

  constructor(readonly name: string) {
    this.dexie = new Dexie(name);
    this.dexie.version(1).stores({
      edits: "++seq, &uuid, [state+seq], image_id",
      sessions: "uuid",
      preferences: "key",
    });
    this.edits = this.dexie.table("edits");
    this.sessions = this.dexie.table("sessions");
    this.preferences = this.dexie.table("preferences");
  }

  /** All or none, at the end; drafts stay drafts. Resolves when the browser has them. */
  async add(rows: readonly (NewRow | Omit<JournalRow, "seq">)[]): Promise<void> {
    const added = rows.map((row) => ({ state: "queued" as const, ...row }) as JournalRow);
    await this.opened();
    await this.dexie.transaction("rw", this.edits, () => this.edits.bulkAdd(added));
  }

  /** The oldest queued edits, in order; those behind number `after`, where it is given. */
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

  /** Queued ones and drafts, in the order in which they were made. */
  async all(): Promise<JournalRow[]> {
    await this.opened();
    return this.edits.orderBy("seq").toArray();
  }

  async sessionsOfImage(imageId: number): Promise<(WorkSession & { client: string })[]> {
    await this.opened();
    return this.sessions.filter((session) => session.image_id === imageId).toArray();
  }

  async drafts(): Promise<JournalRow[]> {
    await this.opened();
    return this.edits.where("[state+seq]").between(["draft", Dexie.minKey], ["draft", Dexie.maxKey]).toArray();
  }

  async lastSeq(): Promise<number> {
    await this.opened();
    return (await this.edits.orderBy("seq").last())?.seq ?? 0;
  }

  /**
   * Stores the outcome of some queued rows, in one transaction: acknowledged ones go, others change. What another tab has settled
   * or the person has decided meanwhile stays as it is.
   */
  async settle(done: readonly number[], changed: readonly JournalRow[]): Promise<void> {
    await this.opened();
    return this.dexie.transaction("rw", this.edits, async () => {
      await this.edits.bulkDelete([...done]);
      const stored = await this.edits.bulkGet(changed.map(({ seq }) => seq));
      await this.edits.bulkPut(changed.filter((_, i) => stored[i]?.state === "queued"));
    });
  }

  /** Drafts wait for the server once more, at their place in the order. */
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

  /** The last value of a key wins. */
  async setPreference(key: string, value: Json): Promise<void> {
    await this.opened();
    await this.preferences.put({ key, value });
  }

  async allPreferences(): Promise<Metadata> {
    await this.opened();
    const rows = await this.preferences.toArray();
    return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
  }

  /** Forgets what was sent, unless it was changed meanwhile. */
  async removePreferences(sent: Metadata): Promise<void> {
    await this.opened();
    return this.dexie.transaction("rw", this.preferences, async () => {
      for (const [key, value] of Object.entries(sent)) {
        const now = await this.preferences.get(key);
        if (JSON.stringify(now?.value) === JSON.stringify(value)) await this.preferences.delete(key);
      }
    });
  }

  /** Called whenever another tab or this one changed the journal. */
  onChange(listener: () => void): () => void {
    const heard = (parts: object) => {
      if (Object.keys(parts).some((part) => part.includes(`/${this.name}/edits`))) listener();
    };
    Dexie.on("storagemutated", heard);
    return () => Dexie.on("storagemutated").unsubscribe(heard);
  }

  close(): void {
    this.dexie.close();
  }

  /** Removes everything of this person from the browser. */
  async wipe(): Promise<void> {
    await inTime(this.dexie.delete());
  }

  /** A first look opens it. That it fails is for what is wanted of it to say. */
  private async opened(): Promise<void> {
    if (this.dexie.isOpen()) this.opening = undefined;
    else this.opening ??= inTime(this.edits.limit(1).primaryKeys().then(nothing, nothing));
    return this.opening;
  }
}

const nothing = () => undefined;

/** Rejects where the browser does not answer in time. */
async function inTime(asked: PromiseLike<unknown>): Promise<void> {
  await withinTime(OPENING_MS, asked, () => new Error("The browser's storage does not respond."));
}
