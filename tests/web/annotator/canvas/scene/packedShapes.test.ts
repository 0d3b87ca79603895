import { expect, test } from "vitest";
import { packShapes, unpackShapes } from "../../../../../web/annotator/canvas/scene/packedShapes";
import { boxOf, type Shape } from "../../../../../web/annotator/canvas/shapes/shapes";

function shape(uuid: string, rings: Shape["rings"], dots: Shape["dots"] = []): Shape {
  const box = boxOf(rings, dots) ?? { minX: 0, minY: 0, maxX: 0, maxY: 0 };
  return { ...box, uuid, rings, dots, color: "#123456", lines: [], layer: 0, isMarked: false };
}

const plain = (shapes: ReturnType<typeof unpackShapes>) =>
  shapes.map(({ rings, ...rest }) => ({
    ...rest,
    rings: rings.map((polygon) => polygon.map((ring) => [...Array.from(ring)])),
  }));

test("shapes with holes, islands or keypoints, and shapes without rings, are unpacked unchanged", () => {
  const shapes = [
    shape("a", [
      [
        [0, 0, 9, 0, 9, 9],
        [2, 2, 3, 2, 3, 3],
      ],
      [[20, 20, 30, 20, 30, 30]],
    ]),
    shape("b", [], [{ x: 5, y: 6, label: 1, color: "#ffffff", filled: true }]),
    { ...shape("c", [[[1, 1, 2, 1, 2, 2]]]), color: "#654321", layer: -3, isMarked: true },
    shape("d", [[[1.5, 1, 2, 1, 2, 2.25]]]),
  ];
  expect(plain(unpackShapes(packShapes(shapes)))).toEqual(shapes);
  expect(unpackShapes(packShapes([]))).toEqual([]);
});
