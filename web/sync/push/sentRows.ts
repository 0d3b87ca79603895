import type { EditAnswer, EditBatch } from "../../../shared/edits/edit";
import { subjectOf } from "../../../shared/edits/subject";
import type { JournalRow } from "../journal/journal";

/** A batch on its way to the server. */
export interface SentRows {
  rows: readonly JournalRow[];
  response: Promise<{ answers: EditAnswer[] }>;
}

/**
 * Sends rows of one client, or nothing if there are no rows. The caller handles a failure when it awaits the response.
 */
export function sendRows(
  rows: readonly JournalRow[],
  send: (batch: EditBatch) => Promise<{ answers: EditAnswer[] }>,
): SentRows {
  const [first] = rows;
  if (!first) return { rows, response: Promise.resolve({ answers: [] }) };
  const response = send({ client: first.client, edits: rows.map(({ edit }) => edit) });
  response.catch(() => undefined);
  return { rows, response };
}

/**
 * Returns true if a batch may be sent while the one before it is on its way: both contain only edits of annotations by
 * the same client, and no annotation in common. Neither then builds on the other, and it does not matter which one the
 * server stores first.
 */
export function mayFollow(rows: readonly JournalRow[], earlier: readonly JournalRow[]): boolean {
  const [first] = rows;
  if (!first || first.client !== earlier[0]?.client) return false;
  if (![...rows, ...earlier].every(({ edit }) => edit.subject === "annotation")) return false;
  const subjects = new Set(earlier.map(({ edit }) => subjectOf(edit)));
  return !rows.some(({ edit }) => subjects.has(subjectOf(edit)));
}
