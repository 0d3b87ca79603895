import type { Journal, JournalRow } from "../journal/journal";
import { revisionOf } from "../journal/renewed";
import type { Draft } from "../journal/syncState";
import type { Unkept } from "./unkept";

/** A row that waits for the person, as it is shown. */
export function draftOf({ edit, fields, stored = null, revision, reason, code }: JournalRow): Draft {
  return {
    ...{ edit, fields: fields ?? [], stored, revision: revisionOf(stored) ?? revision ?? 0, reason: reason ?? "" },
    ...(code && { code }),
  };
}

/** Places in a store of the drafts with these uuids. */
export async function seqsOf(store: Pick<Journal | Unkept, "drafts">, uuids: ReadonlySet<string>): Promise<number[]> {
  const rows = (await store.drafts()).filter(({ uuid }) => uuids.has(uuid));
  return rows.map(({ seq }) => seq);
}
