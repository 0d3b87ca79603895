import type { Journal, JournalRow } from "./journal";
import { revisionOf } from "./renewed";
import type { Draft } from "./syncState";
import type { Unkept } from "./unkept";

/** A row that waits for the person, as it is shown. */
export function draftOf({ edit, fields, stored = null, revision, reason }: JournalRow): Draft {
  return { edit, fields: fields ?? [], stored, revision: revisionOf(stored) ?? revision ?? 0, reason: reason ?? "" };
}

/** Answers how many of them were there. */
export async function dropDrafts(
  store: Pick<Journal | Unkept, "drafts" | "settle">,
  uuids: ReadonlySet<string>,
): Promise<number> {
  const rows = (await store.drafts()).filter(({ edit }) => uuids.has(edit.uuid));
  const seqs = rows.map(({ seq }) => seq);
  if (seqs.length > 0) await store.settle(seqs, []);
  return seqs.length;
}
