import { type Kysely, sql } from "kysely";
import type { Comparison } from "../../../../shared/agreement/figures";
import { SerialQueue } from "../../../../shared/async/serialQueue";
import type { Schema } from "../../../db/schema";
import type { Thread } from "../../../threads/threads";
import type { Copy } from "../copies/copies";
import { groupedBy } from "../copies/groupedBy";
import { withAgreementThread } from "./agreementThread";
import type { Answer, Question } from "./question";
import { readAnnotations } from "./readAnnotations";

/** Pairs of images whose annotations are read at once. */
const PIECE = 20;
/** Time after which a call computes no more comparisons; the next call goes on. */
const PATIENCE_MS = 1_000;
/** Calls that compute comparisons, one at a time: a page makes two calls about the same pairs. */
const turns = new SerialQueue();

/** Two images to compare: a copy, and another copy or the original with the known truth. */
export interface Pair {
  a: Copy;
  /** Undefined for the known truth. */
  b: Copy | undefined;
  aId: number;
  bId: number;
  revisions: string;
}

export interface Compared extends Pair {
  comparison: Comparison;
}

/**
 * Returns the pairs that are compared: of copies that are done, and where the truth is known, each with the original.
 */
export function pairsOf(copies: readonly Copy[], truths: ReadonlyMap<number, number>): Pair[] {
  const finished = copies.filter(({ is_finished }) => is_finished);
  const byOriginal = groupedBy(finished, ({ original_id }) => original_id);
  return [...byOriginal].flatMap(([original, own]): Pair[] => {
    const revision = truths.get(original);
    if (revision !== undefined)
      return own.map((a) => ({ a, b: undefined, aId: a.id, bId: original, revisions: `${a.revision} ${revision}` }));
    return own.flatMap((a, i) =>
      own.slice(i + 1).map((b) => ({ a, b, aId: a.id, bId: b.id, revisions: `${a.revision} ${b.revision}` })),
    );
  });
}

/**
 * Compares pairs. Those that were compared before and have not changed since are read. `pending`: number of missing
 * ones.
 */
export async function comparePairs(
  db: Kysely<Schema>,
  pairs: readonly Pair[],
  patience = PATIENCE_MS,
): Promise<{ compared: Compared[]; pending: number }> {
  const stored = await readStored(db, pairs);
  if (stored.missing.length === 0) return { compared: stored.known, pending: 0 };
  return turns.add(async () => {
    // Another call may have computed some of them meanwhile.
    const { known, missing } = await readStored(db, pairs);
    const until = performance.now() + patience;
    const made = await withAgreementThread((thread) => compareAll(db, thread, missing, until));
    return { compared: [...known, ...made], pending: missing.length - made.length };
  });
}

async function readStored(db: Kysely<Schema>, pairs: readonly Pair[]): Promise<{ known: Compared[]; missing: Pair[] }> {
  const ids = [...new Set(pairs.map(({ aId }) => aId))];
  const { rows } = await sql<{ a_id: number; b_id: number; revisions: string; comparison: Comparison }>`
    select a_id, b_id, a_revision || ' ' || b_revision as revisions, comparison from consensus_comparisons
    where a_id = any(${ids}::integer[])`.execute(db);
  const stored = new Map(rows.map((row) => [`${row.a_id} ${row.b_id} ${row.revisions}`, row.comparison]));
  const known: Compared[] = [];
  const missing: Pair[] = [];
  for (const pair of pairs) {
    const comparison = stored.get(`${pair.aId} ${pair.bId} ${pair.revisions}`);
    if (comparison) known.push({ ...pair, comparison });
    else missing.push(pair);
  }
  return { known, missing };
}

async function compareAll(
  db: Kysely<Schema>,
  thread: Thread<Question, Answer>,
  pairs: readonly Pair[],
  until: number,
): Promise<Compared[]> {
  const made: Compared[] = [];
  for (let from = 0; from < pairs.length && (from === 0 || performance.now() < until); from += PIECE) {
    const piece = pairs.slice(from, from + PIECE);
    const images = await readAnnotations(db, [...new Set(piece.flatMap(({ aId, bId }) => [aId, bId]))]);
    // An image that was deleted for good meanwhile is in no later call.
    const there = piece.filter(({ aId, bId }) => images.has(aId) && images.has(bId));
    const asked = there.map(({ aId, bId }) => ({ a: images.get(aId)!, b: images.get(bId)! }));
    const comparisons = (await thread.ask({ what: "compare", pairs: asked })) as Comparison[];
    made.push(...there.map((pair, i) => ({ ...pair, comparison: comparisons[i]! })));
    const rows = there.map(({ aId, bId }, i) => ({
      a_id: aId,
      b_id: bId,
      // The annotations may be newer than the pair, so they are stored under their own revisions.
      a_revision: asked[i]!.a.revision,
      b_revision: asked[i]!.b.revision,
      comparison: comparisons[i]!,
    }));
    await sql`
      insert into consensus_comparisons (a_id, b_id, a_revision, b_revision, comparison)
      select x.a_id, x.b_id, x.a_revision, x.b_revision, x.comparison
      from json_to_recordset(${JSON.stringify(rows)}::json) as x(a_id integer, b_id integer, a_revision integer,
        b_revision integer, comparison json)
      join images a on a.id = x.a_id join images b on b.id = x.b_id
      on conflict (a_id, b_id) do update set a_revision = excluded.a_revision, b_revision = excluded.b_revision,
        comparison = excluded.comparison`.execute(db);
  }
  return made;
}
