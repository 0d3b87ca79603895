import { type JournalRow, type NewRow, requeued } from "../journal/journalRow";
import type { Queue } from "./push";

/**
 * In-memory journal for edits that the browser could not store because its storage is full or forbidden. It is lost
 * when the page closes. Rejected edits wait here as conflicts, as they would in the journal.
 */
export class MemoryJournal implements Queue {
  private rows: readonly JournalRow[] = [];
  private lastSeq = 0;

  add(rows: readonly NewRow[]): void {
    this.rows = [...this.rows, ...rows.map((row) => ({ ...row, seq: ++this.lastSeq, state: "queued" as const }))];
  }

  get size(): number {
    return this.rows.length;
  }

  all(): readonly JournalRow[] {
    return this.rows;
  }

  pending(): JournalRow[] {
    return this.rows.filter(({ state }) => state === "queued");
  }

  conflicts(): JournalRow[] {
    return this.rows.filter(({ state }) => state === "draft");
  }

  async requeue(seqs: readonly number[]): Promise<void> {
    this.rows = this.rows.map((row) => (seqs.includes(row.seq) ? requeued(row) : row));
  }

  async queued(limit: number, after = 0): Promise<JournalRow[]> {
    return this.pending()
      .filter(({ seq }) => seq > after)
      .slice(0, limit);
  }

  async settle(done: readonly number[], changed: readonly JournalRow[]): Promise<void> {
    const gone = new Set(done);
    const next = new Map(changed.map((row) => [row.seq, row]));
    this.rows = this.rows.filter(({ seq }) => !gone.has(seq)).map((row) => next.get(row.seq) ?? row);
  }
}
