import { expect, test } from "vitest";
import { durationText } from "../../../../../web/components/durationText";
import { balanceOf } from "../../../../../web/pages/dataset/statistics/balanceOf";
import { ninthsOf } from "../../../../../web/pages/dataset/statistics/ninthsOf";
import { shareText } from "../../../../../web/pages/dataset/statistics/numberText";

const categories = (...counts: number[]) =>
  counts.map((annotations, at) => ({
    id: at + 1,
    name: `c${at + 1}`,
    color: "#336699",
    annotations,
    images: annotations,
    milliseconds: 0,
    area: 0,
  }));

test("the balance is described in words", () => {
  expect(balanceOf([])).toBe("No annotations yet.");
  expect(balanceOf(categories(0, 0))).toBe("No annotations yet. 2 categories have no annotation.");
  expect(balanceOf(categories(7, 0))).toBe("All annotations are of c1. 1 category has no annotation.");
  expect(balanceOf(categories(4, 4))).toBe("All categories in use are equally frequent. Evenness 1 of 1.");
  expect(balanceOf(categories(30, 10))).toBe("c1 has 3 times as many annotations as c2. Evenness 0.81 of 1.");
});

test("times are written in their two largest units", () => {
  const texts = [0, 999, 1500, 59_000, 61_000, 3_600_000, 90_000_000].map(durationText);
  expect(texts).toEqual(["0 ms", "999 ms", "1.5 s", "59 s", "1 min 1 s", "1 h 0 min", "25 h 0 min"]);
});

test("shares are never rounded to zero", () => {
  expect([shareText(0, 0), shareText(1, 1000), shareText(1, 3)]).toEqual(["0%", "under 1%", "33%"]);
});

test("the heat map is described by ninths", () => {
  const counts = Array<number>(36).fill(0);
  [counts[0], counts[13], counts[35]] = [5, 1, 7];
  expect(ninthsOf({ columns: 6, rows: 6, counts })).toEqual([
    [5, 0, 0],
    [1, 0, 0],
    [0, 0, 7],
  ]);
});
