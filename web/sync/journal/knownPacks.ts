import type { JournalRow } from "./journalRow";
import { numberRows, type StoredRow } from "./packs";

/** Maximum number of packs whose rows are kept in memory. */
const MOST = 20;

/**
 * Rows of the packs that this tab has added or read last, because they are sent soon and reading a pack takes longer
 * than writing it. Only the browser's storage knows whether a pack still exists: other tabs remove packs, too.
 */
export class KnownPacks {
  private readonly rows = new Map<number, JournalRow[]>();

  /** Keeps the rows of the records that are packs. `seqs`: the `seq` of each record. */
  add(records: readonly StoredRow[], seqs: readonly number[], rows: readonly Omit<JournalRow, "seq">[]): void {
    let from = 0;
    for (const [i, record] of records.entries()) {
      if (record.state !== "packed") return;
      this.keep(seqs[i]!, numberRows(seqs[i]!, rows.slice(from, from + record.size)));
      from += record.size;
    }
  }

  keep(seq: number, rows: JournalRow[]): void {
    if (rows.length > 0) this.rows.set(seq, rows);
    const [oldest] = this.rows.keys();
    if (this.rows.size > MOST && oldest !== undefined) this.rows.delete(oldest);
  }

  get(seq: number): JournalRow[] | undefined {
    return this.rows.get(seq);
  }

  drop(seq: number): void {
    this.rows.delete(seq);
  }
}
