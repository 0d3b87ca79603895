import { t } from "@lingui/core/macro";
import type { Edit, EditAnswer } from "../../../shared/edits/edit";
import { type Field, fieldsOf } from "../../../shared/edits/fields";
import { subjectOf } from "../../../shared/edits/subject";
import type { JournalRow } from "../journal/journal";

/**
 * Applies the server's responses to the journal, as a plain function: rows in, rows out.
 *
 * Applied and seen edits are done. A rejected edit becomes a conflict, and with it later queued edits of the same
 * fields, which build on the rejected one. After an acknowledged edit, later edits of the same subject get the new
 * revision as base, if their author knew that edit and no other user's change can be overwritten unnoticed.
 */
export interface Settled {
  done: number[];
  changed: JournalRow[];
  /** Those of the changed rows that were not sent, but became conflicts with a sent one. */
  drawnIn: JournalRow[];
}

export function settle(
  sent: readonly JournalRow[],
  later: readonly JournalRow[],
  answers: readonly EditAnswer[],
): Settled {
  const byUuid = new Map(answers.map((answer) => [answer.uuid, answer]));
  const done: number[] = [];
  const changed = new Map<number, JournalRow>();
  const drawnIn = new Map<number, JournalRow>();
  const current = (row: JournalRow) => changed.get(row.seq) ?? row;
  const laterOf = rowsBySubject(later, new Set(sent.map(({ edit }) => subjectOf(edit))));

  for (const row of sent) {
    if (current(row).state === "draft") continue;
    const answer = byUuid.get(row.uuid);
    if (!answer) continue;
    const followers = (laterOf.get(subjectOf(row.edit)) ?? []).filter((other) => other.seq > row.seq);
    if (answer.status === "applied" || answer.status === "seen") {
      done.push(row.seq);
      for (const other of followers) {
        const next = rebase(current(other), row, answer.revision ?? 0);
        if (next) changed.set(other.seq, next);
      }
      continue;
    }
    const conflict = toConflict(row, answer);
    changed.set(row.seq, conflict);
    for (const other of followers) {
      if (current(other).state !== "queued" || !shareField(other, conflict.fields ?? [])) continue;
      const drawn = toConflict(other, answer);
      changed.set(other.seq, drawn);
      drawnIn.set(other.seq, drawn);
    }
  }
  return { done, changed: [...changed.values()], drawnIn: [...drawnIn.values()] };
}

/** Returns the rows of these subjects, by subject: a search through all rows for each one would take seconds. */
function rowsBySubject(rows: readonly JournalRow[], subjects: ReadonlySet<string>): Map<string, JournalRow[]> {
  const found = new Map<string, JournalRow[]>();
  for (const row of rows) {
    const subject = subjectOf(row.edit);
    if (!subjects.has(subject)) continue;
    const known = found.get(subject);
    if (known) known.push(row);
    else found.set(subject, [row]);
  }
  return found;
}

/**
 * Returns true if the server refused an edit itself, not its whole image. Revision 0 means that the server has lost the
 * subject: for the user it was deleted.
 */
export const isRefusal = ({ status, code, revision }: EditAnswer): boolean =>
  status === "refused" && revision !== 0 && code !== "image_not_found" && code !== "read_only";

function toConflict(row: JournalRow, answer: EditAnswer): JournalRow {
  const reason = answer.reason ?? t`Another user changed this meanwhile.`;
  const { fields, stored, revision, code, changed_by, changed_at } = answer;
  const isRefused = isRefusal(answer);
  return {
    ...row,
    state: "draft",
    fields: fields ?? fieldsOf(row.edit),
    stored: stored ?? null,
    ...(revision != null && { revision }),
    reason,
    ...(code && { code }),
    ...(isRefused && { isRefused: true as const }),
    ...(changed_by && { changed_by }),
    ...(changed_at && { changed_at }),
  };
}

/**
 * Returns the later edit with the earlier one's new revision as base; undefined if the base must stay. The later edit's
 * author must have known the earlier edit, and no other user's change may lie between the two revisions. Otherwise the
 * old base lets the server detect the conflict. (Changes by the same client never conflict.)
 */
function rebase(later: JournalRow, earlier: JournalRow, revision: number): JournalRow | undefined {
  if (later.state === "draft" || later.edit.base >= revision) return undefined;
  if (later.client !== earlier.client && later.saw < earlier.seq) return undefined;
  if (revision !== later.edit.base + 1 && !isWithin(later.edit, earlier.edit)) return undefined;
  return { ...later, edit: { ...later.edit, base: revision } };
}

/**
 * Returns true if an edit changes only fields that an acknowledged one has changed: if another user had changed them in
 * between, the acknowledged edit would have been a conflict. Needed because an image's revision has gaps: changes of
 * its annotations raise it too.
 */
function isWithin(later: Edit, earlier: Edit): boolean {
  if (later.action !== "modify" || earlier.action !== "modify" || later.base < earlier.base) return false;
  return Object.keys(later.after).every((key) => Object.hasOwn(earlier.after, key));
}

function shareField(row: JournalRow, fields: readonly string[]): boolean {
  return fieldsOf(row.edit).some((field: Field) => fields.includes(field));
}
