import { type JournalRow, type NewRow, requeued } from "../journal/journal";
import type { Queue } from "./push";

/**
 * Edits that the browser could not keep (its store is full or forbidden), in order: a journal in memory, gone with the
 * page. What the server does not take over waits here as a draft, as it would in the journal.
 */
export class Unkept implements Queue {
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

  waiting(): JournalRow[] {
    return this.rows.filter(({ state }) => state === "queued");
  }

  drafts(): JournalRow[] {
    return this.rows.filter(({ state }) => state === "draft");
  }

  async requeue(seqs: readonly number[]): Promise<void> {
    this.rows = this.rows.map((row) => (seqs.includes(row.seq) ? requeued(row) : row));
  }

  async queued(limit: number, after = 0): Promise<JournalRow[]> {
    return this.waiting()
      .filter(({ seq }) => seq > after)
      .slice(0, limit);
  }

  async settle(done: readonly number[], changed: readonly JournalRow[]): Promise<void> {
    const gone = new Set(done);
    const next = new Map(changed.map((row) => [row.seq, row]));
    this.rows = this.rows.filter(({ seq }) => !gone.has(seq)).map((row) => next.get(row.seq) ?? row);
  }
}
