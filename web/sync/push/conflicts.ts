import type { Journal, JournalRow } from "../journal/journal";
import { revisionOf } from "../journal/squash";
import type { Conflict } from "../journal/syncState";
import type { MemoryJournal } from "./memoryJournal";

/** Returns the conflict of a journal row, as shown to the user. */
export function conflictOf({ edit, fields, stored = null, revision, reason, code }: JournalRow): Conflict {
  return {
    ...{ edit, fields: fields ?? [], stored, revision: revisionOf(stored) ?? revision ?? 0, reason: reason ?? "" },
    ...(code && { code }),
  };
}

/** Returns the `seq` of the conflicts with these uuids in a journal. */
export async function seqsOfConflicts(
  journal: Pick<Journal | MemoryJournal, "conflicts">,
  uuids: ReadonlySet<string>,
): Promise<number[]> {
  const rows = (await journal.conflicts()).filter(({ uuid }) => uuids.has(uuid));
  return rows.map(({ seq }) => seq);
}
