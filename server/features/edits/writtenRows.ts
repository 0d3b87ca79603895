import type { Shape } from "../../../shared/entities/shape";
import type { WrittenRows } from "../../db/rows/annotations";
import { isShort, jsonInTurns, ringsText } from "../../threads/jsonInTurns";
import { makePause } from "../../threads/makePause";

/**
 * Yields rows in order, in groups that one statement writes. A row with a long value in `column` is a group of its own,
 * with the value apart from the row: PostgreSQL would read JSON inside other JSON three times, while the embedded
 * database runs no other query. `textOf` returns the JSON of a short value.
 */
export async function* writtenRows<Row extends object, Column extends keyof Row & string>(
  rows: readonly Row[],
  column: Column,
  textOf: (value: Row[Column]) => string = JSON.stringify,
): AsyncGenerator<WrittenRows> {
  const pause = makePause();
  const short: string[] = [];
  const group = (): WrittenRows => ({ json: `[${short.splice(0).join(",")}]`, long: null });
  for (const row of rows) {
    const others = { ...row, [column]: undefined };
    if (isShort(row[column]) && isShort(others)) {
      const text = JSON.stringify(others);
      short.push(`${text.slice(0, -1)}${text === "{}" ? "" : ","}"${column}":${textOf(row[column])}}`);
      await pause();
      continue;
    }
    if (short.length > 0) yield group();
    yield { json: await jsonInTurns([{ ...row, [column]: null }]), long: await jsonInTurns(row[column]) };
  }
  if (short.length > 0) yield group();
}

/** Returns the same text as JSON.stringify for a shape. */
export const shapeText = (shape: Shape): string =>
  shape !== null && "rings" in shape ? `{"rings":${ringsText(shape.rings)}}` : JSON.stringify(shape);
