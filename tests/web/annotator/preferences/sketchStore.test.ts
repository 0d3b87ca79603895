// @vitest-environment jsdom
import { beforeEach, expect, test } from "vitest";
import { type Sketch, sketchStore } from "../../../../web/annotator/preferences/sketchStore";

const ADA = { installation: "one", userId: 1, username: "ada" };
const sketch: Sketch = {
  tool: "Scissors",
  ring: [1, 2, 3, 4],
  starts: [0],
  annotation: "00000000-0000-4000-8000-000000000001",
  category: 5,
};

beforeEach(() => localStorage.clear());

test("a sketch is kept for its user, installation and image only", () => {
  sketchStore(ADA, 7).set(sketch);
  expect(sketchStore(ADA, 7).get()).toMatchObject(sketch);
  expect(sketchStore(ADA, 8).get()).toBeNull();
  expect(sketchStore({ ...ADA, userId: 2 }, 7).get()).toBeNull();
  expect(sketchStore({ ...ADA, installation: "two" }, 7).get()).toBeNull();
  sketchStore(ADA, 7).set(null);
  expect(sketchStore(ADA, 7).get()).toBeNull();
});

test("only the twenty most recent images have a sketch", () => {
  for (let image = 1; image <= 21; image++) sketchStore(ADA, image).set(sketch);
  expect(sketchStore(ADA, 1).get()).toBeNull();
  expect(sketchStore(ADA, 2).get()).toMatchObject(sketch);
});

test("a sketch of a version that kept only polygons has one gesture for each point", () => {
  const { tool: _, starts: __, ...old } = sketch;
  localStorage.setItem("limn.annotator/sketches/one/1", JSON.stringify([{ image: 7, ...old }]));
  expect(sketchStore(ADA, 7).get()).toEqual({ ...old, tool: "Polygon", starts: [0, 1] });
});

test("unreadable sketches are ignored", () => {
  for (const text of ["{", "7", '[{"image":7,"ring":["x",2],"annotation":"a","category":1}]']) {
    localStorage.setItem("limn.annotator/sketches/one/1", text);
    expect(sketchStore(ADA, 7).get()).toBeNull();
  }
});
