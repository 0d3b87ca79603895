import { expect, it } from "vitest";
import { idList } from "../../../../shared/api/protocol/inputs";

it("a list of ids is a comma-separated list, with optional spaces", () => {
  expect(idList.parse(" 1, 2 ,3,")).toEqual([1, 2, 3]);
  for (const none of ["", "  "]) expect(idList.parse(none)).toEqual([]);
  expect(idList.parse(undefined)).toBeUndefined();
  for (const wrong of [",", "1,,2", "1 2", "x", "-1", "1.5", "12345678901"])
    expect(idList.safeParse(wrong).success, wrong).toBe(false);
});

it("impossible ids stay in the list, as an id that no row has", () => {
  expect(idList.parse("9999999999,7")).toEqual([0, 7]);
  expect(idList.parse([2 ** 31, -5, 2 ** 31 - 1])).toEqual([0, 0, 2 ** 31 - 1]);
});

it("many spaces are parsed quickly", () => {
  const started = process.cpuUsage();
  expect(idList.safeParse(`1${" ".repeat(90_000)}x`).success).toBe(false);
  // In CPU time, since other programs may keep the machine busy.
  expect(process.cpuUsage(started).user).toBeLessThan(1_000_000);
});
