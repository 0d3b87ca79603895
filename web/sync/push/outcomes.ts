import type { EditAnswer } from "../../../shared/edits/edit";
import type { Answered } from "../../io/journal/storedEdits";
import type { JournalRow } from "../journal/journal";
import { MANY_ROWS } from "../journal/packs";
import type { Settled } from "./settle";

/** Receives the responses to edits before the journal deletes the stored edits. Never rejects. */
export type Keep = (answered: readonly Answered[]) => Promise<void>;

/** Resolves when the page shows that these rows are stored. Never rejects. */
export type StoredListener = (seqs: readonly number[]) => Promise<void>;

export type AnswersListener = (rows: readonly JournalRow[], answers: readonly EditAnswer[]) => void;

/** Stores the outcome of edits: deletes `done`, replaces `changed`. */
export interface Settling {
  settle(done: readonly number[], changed: readonly JournalRow[]): Promise<void>;
}

/** Number of outcomes from which they are stored. */
const MANY = 5_000;

/**
 * Outcomes of edits that the server has answered and the journal still contains. They are stored together, since that
 * takes almost as long for one batch as for ten. Edits whose outcome is lost with the page are sent again; the server
 * recognises them.
 */
export class Outcomes {
  private answered: { rows: readonly JournalRow[]; answers: readonly EditAnswer[] }[] = [];
  private done: number[] = [];
  private readonly changed = new Map<number, JournalRow>();

  /**
   * `onStored` receives the `seq` of the rows that the server has stored and the source still has, if these are many,
   * because storing their outcomes then takes a while.
   */
  constructor(
    private readonly source: Settling,
    private readonly onAnswers: AnswersListener,
    private readonly keep: Keep,
    private readonly onStored: StoredListener,
  ) {}

  /** True if the outcomes must be stored before more edits are sent. */
  get areMany(): boolean {
    return this.done.length + this.changed.size >= MANY;
  }

  add(rows: readonly JournalRow[], answers: readonly EditAnswer[], { done, changed }: Settled): void {
    this.answered.push({ rows, answers });
    this.done.push(...done);
    for (const row of changed) this.changed.set(row.seq, row);
  }

  /** Stores the outcomes. Returns false, and keeps them, if the browser's storage is full or was closed. */
  async store(): Promise<boolean> {
    const { answered, done, changed } = this;
    if (answered.length === 0) return true;
    if (done.length >= MANY_ROWS) await this.onStored(done);
    await this.keep(answered.flatMap(withAnswers));
    const isStored = await this.source.settle(done, [...changed.values()]).then(
      () => true,
      () => false,
    );
    if (!isStored) return false;
    this.answered = [];
    this.done = [];
    this.changed.clear();
    for (const { rows, answers } of answered) this.onAnswers(rows, answers);
    return true;
  }
}

function withAnswers({ rows, answers }: { rows: readonly JournalRow[]; answers: readonly EditAnswer[] }): Answered[] {
  const byUuid = new Map(answers.map((answer) => [answer.uuid, answer]));
  return rows.flatMap(({ uuid, edit }) => {
    const answer = byUuid.get(uuid);
    return answer ? [{ edit, answer }] : [];
  });
}
