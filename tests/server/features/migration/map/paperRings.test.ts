import { describe, expect, it } from "vitest";
import { paperShape } from "../../../../../server/features/migration/map/paperRings";
import { thinned } from "../../../../../server/features/migration/map/thin";
import { measure } from "../../../../../shared/coco/measure";
import type { Json } from "../../../../../shared/entities/scalars";
import { square } from "../../../../support/originalDump";

const path = (segments: unknown[], more = {}) => ["Path", { segments, closed: true, ...more }];
const compound = (children: unknown[], more = {}) => ["CompoundPath", { children, ...more }] as Json;
const read = (json: Json) => paperShape(json, 40, 20);
const areaOf = (json: Json) => measure(read(json)?.rings ?? [], 40, 20).area;

describe("paper.js objects", () => {
  const outer = square(-8, -8, 16);

  it("have their origin in the middle of the image, and holes that turn the other way", () => {
    const shape = read(compound([path(outer), path(square(-4, -4, 4, false)), path(square(1, 1, 3, false))]));
    expect(shape?.rings.map((polygon) => polygon.length)).toEqual([3]);
    expect(shape?.rings[0]?.[0]?.slice(0, 4)).toEqual([12, 2, 28, 2]);
    expect(shape?.isPartial).toBe(false);
  });

  it("an inner path that turns the same way is no hole, unless the fill rule is even-odd", () => {
    const children = [path(outer), path(square(-4, -4, 4))];
    expect(areaOf(compound(children))).toBe(256);
    expect(areaOf(compound(children, { fillRule: "evenodd" }))).toBe(240);
  });

  it("outlines may turn either way, and islands in holes are kept", () => {
    const island = path(square(-3, -3, 2, false));
    const reversed = [path(square(-8, -8, 16, false)), path(square(-4, -4, 4)), island];
    expect(areaOf(compound(reversed))).toBe(256 - 16 + 4);
    expect(read(compound(reversed))?.rings.map((polygon) => polygon.length)).toEqual([2, 1]);
  });

  it("two outlines that turn the same way need two inner ones to make a hole", () => {
    const twice = [path(outer), path(square(-6, -6, 12)), path(square(-4, -4, 4, false))];
    expect(areaOf(compound(twice))).toBe(256);
    expect(areaOf(compound([...twice, path(square(-3, -3, 2, false))]))).toBe(252);
  });

  it("an inner path that reaches outside adds what is outside", () => {
    const bracket = [
      [-8, -8],
      [8, -8],
      [8, -4],
      [-4, -4],
      [-4, 8],
      [-8, 8],
    ];
    const bar = [
      [-6, 0],
      [4, 0],
      [4, 2],
      [-6, 2],
    ];
    expect(areaOf(compound([path(bracket), path(bar)]))).toBe(16 * 4 + 12 * 4 + 8 * 2);
  });

  it("matrices apply, of groups too", () => {
    const json = [
      "Group",
      { matrix: [1, 0, 0, 1, 3, 0], children: [compound([path(outer)], { matrix: [1, 0, 0, 1, 0, 1] })] },
    ];
    expect(read(json as Json)?.rings[0]?.[0]?.slice(0, 2)).toEqual([15, 3]);
  });

  it("curves become lines, and segments may have three or four members", () => {
    const circle = [
      [
        [-8, 0],
        [0, 4.4],
        [0, -4.4],
      ],
      [[0, -8], [-4.4, 0], [4.4, 0], 1],
      [
        [8, 0],
        [0, -4.4],
        [0, 4.4],
      ],
      [
        [0, 8],
        [4.4, 0],
        [-4.4, 0],
      ],
    ];
    expect(Math.abs(areaOf(compound([path(circle)])) - Math.PI * 64)).toBeLessThan(4);
  });

  it("short paths, points that are not numbers and other items are left out", () => {
    const parts = [
      path([...outer, [null, 3]]),
      path([]),
      path([[1, 1]]),
      path([
        [1, 1],
        [2, 2],
      ]),
      ["Raster", {}],
    ];
    const shape = read(compound(parts));
    expect(shape).toMatchObject({ isPartial: true, rings: [[expect.any(Array)]] });
    expect(areaOf(compound(parts))).toBe(256);
  });

  it.each([null, [], "x", ["Path"], ["Raster", {}], { segments: [] }, ["CompoundPath", null]])("%j is none", (json) => {
    expect(read(json as Json)).toBeUndefined();
  });

  it("an open path is closed by a line", () => {
    expect(areaOf(compound([["Path", { segments: outer }]]))).toBe(256);
  });
});

it("shapes with too many coordinates keep their outline", () => {
  const count = 300_000;
  const ring = Array.from({ length: count }, (_, i) => (i * 2 * Math.PI) / count).flatMap((angle) => [
    500 + 400 * Math.cos(angle),
    500 + 400 * Math.sin(angle),
  ]);
  const thin = thinned([[ring, [500, 500, 501, 500, 501, 501]]], 200_000);
  expect(thin[0]?.[0]?.length).toBeLessThanOrEqual(200_000);
  expect(thin[0]?.[1]).toHaveLength(6);
  const [area, whole] = [thin, [[ring]]].map(
    (rings) =>
      measure(
        rings.map(([outer]) => [outer!]),
        1000,
        1000,
      ).area,
  );
  expect(Math.abs(area! / whole! - 1)).toBeLessThan(0.001);
});
