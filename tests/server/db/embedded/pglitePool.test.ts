import { expect, test } from "vitest";
import { readResult } from "../../../../server/db/embedded/pglitePool";

const JSON_TYPE = 114;

test("reads rows with long JSON without blocking other work", async () => {
  const outline = Array.from({ length: 200_000 }, (_, i) => i / 7);
  const rows = Array.from({ length: 10 }, (_, i) => [String(i), JSON.stringify(outline), null]);
  const fields = [
    { name: "id", dataTypeID: 23 },
    { name: "shape", dataTypeID: JSON_TYPE },
    { name: "extra", dataTypeID: JSON_TYPE },
  ];
  let turns = 0;
  const count = () => {
    turns++;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const result = await readResult<{ id: number; shape: number[]; extra: null }>("select", { rows, fields });
  clearImmediate(next);
  expect(turns).toBeGreaterThan(5);
  expect(result.rows.map(({ id, extra }) => [id, extra])).toEqual(rows.map((_, i) => [i, null]));
  expect(result.rows.at(-1)?.shape).toEqual(outline);
  expect(result).toMatchObject({ command: "SELECT", rowCount: 10 });
});
