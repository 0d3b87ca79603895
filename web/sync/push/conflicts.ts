import type { Journal, JournalRow } from "../journal/journal";
import { revisionOf } from "../journal/squash";
import type { Conflict } from "../journal/syncState";
import type { MemoryJournal } from "./memoryJournal";

/** Returns the conflict of a journal row, as shown to the user. */
export function conflictOf(row: JournalRow): Conflict {
  const { edit, fields, stored = null, revision, reason, code, isRefused } = row;
  const { changed_by, changed_at, rest, place } = row;
  return {
    ...{ edit, fields: fields ?? [], stored, revision: revisionOf(stored) ?? revision ?? 0, reason: reason ?? "" },
    ...(code && { code }),
    ...(isRefused && { isRefused }),
    ...(changed_by && { changed_by }),
    ...(changed_at && { changed_at }),
    ...(rest && { rest }),
    ...(place && { place }),
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
