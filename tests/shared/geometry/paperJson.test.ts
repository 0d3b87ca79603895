import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_COORDINATES } from "../../../shared/constants";
import { fromPaperJson, PaperJsonError, toPaperJson } from "../../../shared/geometry/paperJson";
import { nearestOnOutline } from "../../../shared/geometry/ring";
import { square, star } from "./shapes";

const path = (segments: unknown, more: object = {}) => ["Path", { applyMatrix: true, segments, closed: true, ...more }];
const compound = (...children: unknown[]) => ["CompoundPath", { applyMatrix: true, children }];

describe("fromPaperJson", () => {
  it("moves the origin from the centre of the image to its corner", () => {
    const json = compound(
      path([
        [-320, -240],
        [320, -240],
        [320, 240.5],
        [-320, 240.5],
      ]),
    );
    expect(fromPaperJson(json, 640, 480)).toEqual([[[0, 0, 640, 0, 640, 480.5, 0, 480.5]]]);
    expect(
      fromPaperJson(
        path([
          [-100.4, 0],
          [0.1, 0],
          [0, 3],
        ]),
        641,
        481,
      ),
    ).toEqual([[[220.1, 240.5, 320.6, 240.5, 320.5, 243.5]]]);
  });

  it("finds the holes", () => {
    const points = (ring: number[]) => Array.from({ length: ring.length / 2 }, (_, i) => ring.slice(2 * i, 2 * i + 2));
    const json = compound(
      path(points(square(20, 20, 10))),
      path(points(square(0, 0, 100))),
      path(points(square(300, 0, 5))),
    );
    expect(fromPaperJson(json, 0, 0)).toEqual([[square(0, 0, 100), square(20, 20, 10)], [square(300, 0, 5)]]);
  });

  it("reads segments with handles, and with the selection that paper.js may add", () => {
    const straight = [
      [
        [0, 0],
        [0, 0],
        [0, 0],
      ],
      [10, 0],
      [[10, 10], [0, 0], [0, 0], 7],
    ];
    expect(fromPaperJson(path(straight), 0, 0)).toEqual([[[0, 0, 10, 0, 10, 10]]]);
  });

  it("flattens curves to within a quarter of a pixel", () => {
    const k = 100 * 0.5522847498;
    const circle = path([
      [
        [-100, 0],
        [0, k],
        [0, -k],
      ],
      [
        [0, -100],
        [-k, 0],
        [k, 0],
      ],
      [
        [100, 0],
        [0, -k],
        [0, k],
      ],
      [
        [0, 100],
        [k, 0],
        [-k, 0],
      ],
    ]);
    const ring = fromPaperJson(circle, 400, 400)[0]![0]!;
    for (let i = 0; i < 360; i++) {
      const angle = (i * Math.PI) / 180;
      const [x, y] = [200 + 100 * Math.cos(angle), 200 + 100 * Math.sin(angle)];
      expect(nearestOnOutline(ring, x, y)!.distance).toBeLessThan(0.3);
    }
    expect(ring.length).toBeLessThan(200);
  });

  it("applies matrices, the inner ones first", () => {
    const inner = path(
      [
        [1, 0],
        [2, 0],
        [2, 1],
      ],
      { matrix: [1, 0, 0, 1, 10, 0] },
    );
    const json = ["CompoundPath", { matrix: [2, 0, 0, 3, 0, 5], children: [inner] }];
    expect(fromPaperJson(json, 0, 0)).toEqual([[[22, 5, 24, 5, 24, 8]]]);
  });

  it("closes an open path with a straight line", () => {
    const open = [
      "Path",
      {
        segments: [
          [
            [0, 0],
            [0, -50],
            [0, 0],
          ],
          [10, 0],
          [
            [10, 10],
            [0, 0],
            [0, 50],
          ],
        ],
      },
    ];
    expect(fromPaperJson(open, 0, 0)).toEqual([[[0, 0, 10, 0, 10, 10]]]);
  });

  it("skips empty paths and keeps a single point", () => {
    expect(fromPaperJson(compound(path([]), ["Path", { applyMatrix: true }], path([[1, 2]])), 0, 0)).toEqual([
      [[1, 2]],
    ]);
    expect(fromPaperJson(compound(), 0, 0)).toEqual([]);
    expect(fromPaperJson([["dictionary", {}], compound()], 0, 0)).toEqual([]);
  });

  const deep = (n: number): unknown => (n === 0 ? path([[0, 0]]) : compound(deep(n - 1)));
  it.each([
    ["null", null],
    ["text", '["Path",{}]'],
    ["an object", { segments: [] }],
    ["another item", ["Raster", {}]],
    ["a group", ["Group", { children: [] }]],
    ["a path without body", ["Path"]],
    ["a body that is a list", ["Path", []]],
    ["children that are not a list", ["CompoundPath", { children: {} }]],
    ["a child that is not a path", compound(5)],
    ["segments that are not a list", path("M0 0")],
    ["a segment that is a number", path([5])],
    ["a segment of one number", path([[5]])],
    ["a segment of texts", path([["1", "2"]])],
    ["a segment that is not finite", path([[Number.NaN, 0]])],
    ["a huge coordinate", path([[1e8, 0]])],
    ["a matrix that makes a huge coordinate", path([[1e6, 0]], { matrix: [1e6, 0, 0, 1, 0, 0] })],
    ["a short matrix", path([[1, 0]], { matrix: [1, 0] })],
    ["an invalid handle", path([[[0, 0], [1], [0, 0]]])],
    ["too many parts of a segment", path([[[0, 0], [0, 0], [0, 0], 1, 2]])],
    ["too deep nesting", deep(40)],
    ["too many points", path(Array.from({ length: MAX_COORDINATES / 2 + 1 }, () => [0, 0]))],
    [
      "too many points in several paths",
      compound(...Array.from({ length: 3 }, () => path(Array(MAX_COORDINATES / 4 + 1).fill([0, 0])))),
    ],
    ["too many paths", compound(...Array(10_001).fill(path([[1, 1]])))],
    [
      "curves that need too many points",
      path(
        Array(2000).fill([
          [0, 0],
          [-9e6, 9e6],
          [9e6, 9e6],
        ]),
      ),
    ],
  ])("refuses %s", (_, json) => {
    expect(() => fromPaperJson(json, 100, 100)).toThrow(PaperJsonError);
  });
});

describe("toPaperJson", () => {
  it("writes a CompoundPath of closed Paths around the centre of the image", () => {
    expect(toPaperJson([[[0, 0, 10.128, 0, 10, 10]]], 20, 10, { color: "#ff8000" })).toEqual([
      "CompoundPath",
      {
        applyMatrix: true,
        children: [
          [
            "Path",
            {
              applyMatrix: true,
              segments: [
                [-10, -5],
                [0.13, -5],
                [0, 5],
              ],
              closed: true,
            },
          ],
        ],
        fillColor: [1, 0.50196, 0],
      },
    ]);
  });

  it("is read back as the same polygons", () => {
    fc.assert(
      fc.property(star, fc.integer({ min: 1, max: 999 }), fc.integer({ min: 1, max: 999 }), (ring, width, height) => {
        const json: unknown = JSON.parse(JSON.stringify(toPaperJson([[ring]], width, height, { color: "#000000" })));
        const [[back]] = fromPaperJson(json, width, height) as [[number[]]];
        expect(back).toHaveLength(ring.length);
        for (const [i, value] of back.entries()) expect(Math.abs(value - ring[i]!)).toBeLessThanOrEqual(0.0151);
      }),
    );
    const holed = [[square(0, 0, 100), [20, 20, 20, 30, 30, 30, 30, 20]], [square(200, 0, 10)]];
    expect(fromPaperJson(toPaperJson(holed, 300, 200, { color: "#123456" }), 300, 200)).toEqual(holed);
  });
});
