import type { WrittenRows } from "../../db/rows/annotations";
import { isShort, jsonInTurns } from "../../threads/jsonInTurns";

/**
 * Yields rows in order, in groups that one statement writes. A row with a long value in `column` is a group of its own,
 * with the value apart from the row: PostgreSQL would read JSON inside other JSON three times, while the embedded
 * database runs no other query.
 */
export async function* writtenRows<Row extends object>(
  rows: readonly Row[],
  column: keyof Row,
): AsyncGenerator<WrittenRows> {
  const short: Row[] = [];
  for (const row of rows) {
    if (isShort(row[column])) {
      short.push(row);
      continue;
    }
    if (short.length > 0) yield { json: await jsonInTurns(short.splice(0)), long: null };
    yield { json: await jsonInTurns([{ ...row, [column]: null }]), long: await jsonInTurns(row[column]) };
  }
  if (short.length > 0) yield { json: await jsonInTurns(short), long: null };
}
