import type { Edit, EditAnswer } from "../../../shared/edits/edit";
import { type Field, fieldsOf } from "../../../shared/edits/fields";
import { subjectOf } from "../../../shared/edits/subject";
import type { JournalRow } from "../journal/journal";

/**
 * Applies the server's responses to the journal, as a plain function: rows in, rows out.
 *
 * Applied and seen edits are done. A conflict or refusal turns its edit into a draft, and later queued edits of the same
 * fields of the same subject with it: they build on what the server did not take. The other later edits of that subject
 * in the journal get the new revision as base, if their maker had the acknowledged edit in front of it and nobody else's
 * change can be hidden by that.
 */
export interface Settled {
  done: number[];
  changed: JournalRow[];
}

export function settle(
  sent: readonly JournalRow[],
  later: readonly JournalRow[],
  answers: readonly EditAnswer[],
): Settled {
  const byUuid = new Map(answers.map((answer) => [answer.uuid, answer]));
  const done: number[] = [];
  const changed = new Map<number, JournalRow>();
  const current = (row: JournalRow) => changed.get(row.seq) ?? row;

  for (const row of sent) {
    if (current(row).state === "draft") continue;
    const answer = byUuid.get(row.uuid);
    if (!answer) continue;
    const followers = [...sent, ...later].filter(
      (other) => other.seq > row.seq && subjectOf(other.edit) === subjectOf(row.edit),
    );
    if (answer.status === "applied" || answer.status === "seen") {
      done.push(row.seq);
      for (const other of followers) {
        const next = rebase(current(other), row, answer.revision ?? 0);
        if (next && later.includes(other)) changed.set(other.seq, next);
      }
      continue;
    }
    const draft = draftOf(row, answer);
    changed.set(row.seq, draft);
    for (const other of later.filter((each) => followers.includes(each)))
      if (current(other).state === "queued" && shareField(other, draft.fields ?? []))
        changed.set(other.seq, draftOf(other, answer));
  }
  return { done, changed: [...changed.values()] };
}

function draftOf(row: JournalRow, answer: EditAnswer): JournalRow {
  const reason = answer.reason ?? "Another user changed this meanwhile.";
  const { fields, stored, revision, code } = answer;
  return {
    ...row,
    state: "draft",
    fields: fields ?? fieldsOf(row.edit),
    stored: stored ?? null,
    ...(revision != null && { revision }),
    reason,
    ...(code && { code }),
  };
}

/**
 * The later edit on the revision that the earlier one was given, if its maker knew of the earlier one. Between the base
 * and that revision may lie somebody else's change, that the maker did not know: then the old base stays, so that the
 * server sees the conflict. (It takes what the same client has changed since for no conflict.)
 */
function rebase(later: JournalRow, earlier: JournalRow, revision: number): JournalRow | undefined {
  if (later.state === "draft" || later.edit.base >= revision) return undefined;
  if (later.client !== earlier.client && later.saw < earlier.seq) return undefined;
  if (revision !== later.edit.base + 1 && !isWithin(later.edit, earlier.edit)) return undefined;
  return { ...later, edit: { ...later.edit, base: revision } };
}

/**
 * Returns true if an edit changes only what an acknowledged one has changed: had somebody else changed it in between, that one
 * would have been a conflict. An image's revision has gaps all the time, as its annotations' changes raise it too.
 */
function isWithin(later: Edit, earlier: Edit): boolean {
  if (later.action !== "modify" || earlier.action !== "modify" || later.base < earlier.base) return false;
  return Object.keys(later.after).every((key) => Object.hasOwn(earlier.after, key));
}

function shareField(row: JournalRow, fields: readonly string[]): boolean {
  return fieldsOf(row.edit).some((field: Field) => fields.includes(field));
}
