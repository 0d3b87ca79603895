import { expect, it } from "vitest";
import { BatchReader } from "../../../web/offline/batchReader";

it("reads everything that is requested at the same time with one query", async () => {
  const queries: (readonly number[])[] = [];
  const reader = new BatchReader(async (ids) => {
    queries.push(ids);
    return ids.map((id) => (id === 2 ? undefined : `row ${id}`));
  });
  expect(await Promise.all([reader.read(1), reader.read(2), reader.read(1)])).toEqual(["row 1", undefined, "row 1"]);
  expect(await reader.read(3)).toBe("row 3");
  expect(queries).toEqual([[1, 2, 1], [3]]);
});

it("reads again after a query that failed", async () => {
  let isBroken = true;
  const reader = new BatchReader(async (ids) => {
    if (isBroken) throw new Error("full");
    return ids;
  });
  await expect(reader.read(1)).rejects.toThrow("full");
  isBroken = false;
  expect(await reader.read(1)).toBe(1);
});
