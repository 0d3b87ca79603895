import type { WrittenRows } from "../../db/rows/annotations";
import { isShort, jsonInTurns } from "../../threads/jsonInTurns";

/**
 * Yields rows in order, in groups that one statement writes. A row whose `column` is long is alone, and that value is
 * apart: PostgreSQL reads JSON inside other JSON three times, and the embedded database serves nobody else meanwhile.
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
