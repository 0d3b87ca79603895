import Dexie, { type Table } from "dexie";
import { nextTask } from "../../io/nextTask";
import { type JournalRow, requeued } from "./journalRow";
import { KnownPacks } from "./knownPacks";
import { lastSeqOf, type Pack, packRows, packSeqOf, type StoredRow, unpackRows } from "./packs";

/** Schema of the table. The index `[state+seq+size]` contains only packs, since other rows have no size. */
export const EDIT_TABLE = {
  first: "++seq, &uuid, [state+seq], image_id",
  withPacks: "++seq, &uuid, [state+seq], image_id, [state+seq+size]",
} as const;

const FIRST = Dexie.minKey;
const LAST = Dexie.maxKey;

/** The table of edits in a journal. Stores many rows that were added together as packs, but returns single rows. */
export class EditTable {
  private readonly table: Table<StoredRow, number>;
  private readonly known = new KnownPacks();

  constructor(private readonly dexie: Dexie) {
    this.table = dexie.table("edits");
  }

  /** Appends all rows or none. Conflicts keep their state. Frames may be painted while many rows are packed. */
  async add(rows: readonly Omit<JournalRow, "seq">[]): Promise<void> {
    const stored: StoredRow[] = [];
    for (const record of packRows(rows)) {
      if (stored.at(-1)?.state === "packed") await nextTask();
      stored.push(record as StoredRow);
    }
    const seqs = await this.dexie.transaction("rw", this.table, () => this.table.bulkAdd(stored, { allKeys: true }));
    this.known.add(stored, seqs, rows);
  }

  /** Returns the oldest queued rows in order; if `after` is given, only rows after that `seq`. */
  async queued(limit: number, after?: number): Promise<JournalRow[]> {
    return this.dexie.transaction("r", this.table, async () => {
      const single = await this.table
        .where("[state+seq]")
        .between(["queued", after ?? FIRST], ["queued", LAST], after === undefined)
        .limit(limit)
        .toArray();
      const packed = await this.packed(limit, after);
      return [...single.flatMap(unpackRows), ...packed].sort((a, b) => a.seq - b.seq).slice(0, limit);
    });
  }

  /** Returns the number of queued rows, not counting those with these `seq`. Some of these may have left the table. */
  async countQueued(without: ReadonlySet<number> = new Set()): Promise<number> {
    return this.dexie.transaction("r", this.table, async () => {
      const packs = await this.packSizes();
      const packSeqs = new Set(packs.map(({ seq }) => seq));
      const left = [...without].filter((seq) => packSeqs.has(packSeqOf(seq))).length;
      const queued = this.table.where("[state+seq]").between(["queued", FIRST], ["queued", LAST]);
      const single =
        left === without.size
          ? await queued.count()
          : (await queued.primaryKeys()).filter((seq) => !without.has(seq)).length;
      return packs.reduce((sum, { size }) => sum + size, single) - left;
    });
  }

  /** Returns the rows of an image, in order. */
  async ofImage(imageId: number): Promise<JournalRow[]> {
    const stored = await this.table.where("image_id").equals(imageId).sortBy("seq");
    return stored.flatMap(unpackRows);
  }

  /** Returns all rows, queued and in conflict, in order. */
  async all(): Promise<JournalRow[]> {
    const stored = await this.table.orderBy("seq").toArray();
    return stored.flatMap(unpackRows);
  }

  async conflicts(): Promise<JournalRow[]> {
    const stored = await this.table.where("[state+seq]").between(["draft", FIRST], ["draft", LAST]).toArray();
    return stored.flatMap(unpackRows);
  }

  async lastSeq(): Promise<number> {
    const last = await this.table.orderBy("seq").last();
    return (last && unpackRows(last).at(-1)?.seq) ?? 0;
  }

  /**
   * Stores the outcome of queued rows in one transaction: deletes `done`, replaces `changed`. Skips rows that another
   * tab has settled or the user has decided on in the meantime.
   */
  async settle(done: readonly number[], changed: readonly JournalRow[]): Promise<void> {
    await this.dexie.transaction("rw", this.table, async () => {
      const sizes = new Map((await this.packSizes()).map(({ seq, size }) => [seq, size]));
      const isPacked = (seq: number) => sizes.has(packSeqOf(seq));
      for (const [seq, size] of sizes) {
        const isIn = (other: number) => packSeqOf(other) === seq;
        const doneHere = new Set(done.filter(isIn));
        const changedHere = changed.filter((row) => isIn(row.seq));
        if (doneHere.size + changedHere.length === 0) continue;
        this.known.drop(seq);
        if (doneHere.size === size) await this.table.delete(seq);
        else await this.unpack(seq, doneHere, changedHere);
      }
      await this.table.bulkDelete(done.filter((seq) => !isPacked(seq)));
      const single = changed.filter(({ seq }) => !isPacked(seq));
      const stored = await this.table.bulkGet(single.map(({ seq }) => seq));
      await this.table.bulkPut(single.filter((_, i) => stored[i]?.state === "queued"));
    });
  }

  /** Queues conflicts for the server again, at their old place in the order. */
  async requeue(seqs: readonly number[]): Promise<void> {
    await this.table
      .where("seq")
      .anyOf([...seqs])
      .modify((row, place) => {
        if (row.state !== "packed") place.value = requeued(row);
      });
  }

  /** Returns the packed rows after a `seq`, in order: at least `limit`, or all if there are fewer. */
  private async packed(limit: number, after = Number.NEGATIVE_INFINITY): Promise<JournalRow[]> {
    const rows: JournalRow[] = [];
    for (const pack of await this.packSizes()) {
      if (rows.length >= limit) break;
      if (lastSeqOf(pack) <= after) continue;
      const all = await this.rowsOf(pack.seq);
      rows.push(...all.filter(({ seq }) => seq > after));
    }
    return rows;
  }

  /** Returns the rows of a pack: from memory if this tab knows the pack, otherwise from storage. */
  private async rowsOf(seq: number): Promise<JournalRow[]> {
    const known = this.known.get(seq);
    // A journal that was deleted and created again numbers its records from the start.
    const [found] = known ? await this.table.where("uuid").equals(known[0]!.uuid).primaryKeys() : [];
    if (known && found === seq) return known;
    const pack = await this.table.get(seq);
    const rows = pack ? unpackRows(pack) : [];
    this.known.keep(seq, rows);
    return rows;
  }

  /** Returns the packs' `seq` and number of rows in order, without reading the rows. */
  private async packSizes(): Promise<{ seq: number; size: number }[]> {
    const keys = await this.table.where("[state+seq+size]").between(["packed"], ["packed", LAST]).keys();
    return (keys as unknown as [string, number, number][]).map(([, seq, size]) => ({ seq, size }));
  }

  /** Replaces a pack with its rows, without those that are done and with the changed ones in their new form. */
  private async unpack(seq: number, done: ReadonlySet<number>, changed: readonly JournalRow[]): Promise<void> {
    const pack = (await this.table.get(seq)) as Pack | undefined;
    if (!pack) return;
    const next = new Map(changed.map((row) => [row.seq, row]));
    const left = unpackRows(pack).filter((row) => !done.has(row.seq));
    await this.table.delete(seq);
    await this.table.bulkPut(left.map((row) => next.get(row.seq) ?? row));
  }
}
