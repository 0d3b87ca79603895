import { expect, test } from "vitest";
import { View } from "../../../../../web/annotator/canvas/view/view";

function viewOf(width = 1000, height = 500) {
  const view = new View({ width, height });
  view.resize({ width: 1000, height: 1000 });
  return view;
}

test("the image fits into 95% of the width", () => {
  const view = viewOf();
  expect(view.state.zoom).toBeCloseTo(0.95);
  expect(view.toScreen({ x: 500, y: 250 })).toEqual({ x: 500, y: 500 });
});

test("the image fits into 80% of the height", () => {
  expect(viewOf(500, 1000).state.zoom).toBeCloseTo(0.8);
});

test("one notch of the wheel zooms by the specified step, and the place under the pointer stays", () => {
  const view = viewOf();
  const before = view.state.zoom;
  const under = view.toImage({ x: 300, y: 400 });
  view.zoomByWheel({ x: 300, y: 400 }, -100);
  expect(view.state.zoom / before).toBeCloseTo(1.2);
  expect(view.toScreen(under).x).toBeCloseTo(300);
  expect(view.toScreen(under).y).toBeCloseTo(400);
});

test("zoom stays between 0.01 and 10, however far the wheel is turned", () => {
  const view = viewOf();
  for (let i = 0; i < 100; i++) view.zoomByWheel({ x: 500, y: 500 }, -1e9);
  expect(view.state.zoom).toBe(10);
  for (let i = 0; i < 100; i++) view.zoomByPinch({ x: 500, y: 500 }, 1e9);
  expect(view.state.zoom).toBe(0.01);
});

test("the image cannot be panned out of sight", () => {
  const view = viewOf();
  view.panBy(1e6, -1e6);
  const { zoom, x, y } = view.state;
  expect(x).toBeLessThan(1000);
  expect(y + 500 * zoom).toBeGreaterThan(0);
});

test("however far the image is panned, three tenths of it or of the canvas stay in sight", () => {
  for (const zoom of [0.1, 1, 8])
    for (const far of [1e6, -1e6]) {
      const view = viewOf();
      view.zoomTo(zoom);
      view.panBy(far, -far);
      const { width, height } = view.seen();
      expect(width * zoom).toBeGreaterThanOrEqual(0.3 * Math.min(1000 * zoom, 1000) - 1e-6);
      expect(height * zoom).toBeGreaterThanOrEqual(0.3 * Math.min(500 * zoom, 1000) - 1e-6);
    }
});

test("a fitted image stays fitted when the window is resized, a moved one keeps its centre", () => {
  const view = viewOf();
  view.resize({ width: 2000, height: 2000 });
  expect(view.state.zoom).toBeCloseTo(1.9);
  view.panBy(10, 10);
  const middle = view.toImage({ x: 1000, y: 1000 });
  view.resize({ width: 800, height: 600 });
  expect(view.toScreen(middle)).toEqual({ x: 400, y: 300 });
});

test("the image stays at its place on the screen when the upper edge of the canvas moves down and back up", () => {
  const view = viewOf();
  const fitted = view.state;
  view.resizeBelow({ width: 1000, height: 940 }, 60);
  expect(view.state).toEqual({ ...fitted, y: fitted.y - 60 });
  view.resizeBelow({ width: 1000, height: 1000 }, -60);
  expect(view.state).toEqual(fitted);
  view.resize({ width: 2000, height: 2000 });
  expect(view.state.zoom).toBeCloseTo(1.9);
});

test("a box outside the view is moved to the middle at the same zoom, and a visible box stays where it is", () => {
  const view = viewOf();
  view.zoomTo(2);
  const before = view.state;
  view.bringIntoView({ minX: 400, minY: 200, maxX: 500, maxY: 300 });
  expect(view.state).toBe(before);
  view.bringIntoView({ minX: 900, minY: 400, maxX: 1000, maxY: 500 });
  expect(view.state.zoom).toBe(before.zoom);
  expect(view.toScreen({ x: 950, y: 450 }).x).toBeCloseTo(500);
  expect(view.toScreen({ x: 950, y: 450 }).y).toBeCloseTo(500);
});

test("a box that is barely visible at the edge is moved into view, and a box larger than the canvas is fitted into it", () => {
  const view = viewOf();
  view.zoomTo(4);
  view.bringIntoView({ minX: 600, minY: 200, maxX: 700, maxY: 300 });
  expect(view.toScreen({ x: 650, y: 250 }).x).toBeCloseTo(500);
  view.bringIntoView({ minX: 0, minY: 0, maxX: 400, maxY: 100 });
  expect(view.state.zoom).toBeCloseTo(2);
});

test("a tiny box is enlarged to a quarter of the canvas", () => {
  const view = viewOf();
  view.bringIntoView({ minX: 500, minY: 250, maxX: 510, maxY: 255 });
  expect(view.state.zoom).toBe(10);
  const far = viewOf(100_000, 50_000);
  far.bringIntoView({ minX: 500, minY: 250, maxX: 1000, maxY: 300 });
  expect(far.state.zoom).toBeCloseTo(0.5);
});

test("zooming to a box puts it in the middle and fills most of the canvas with it", () => {
  const view = new View({ width: 4000, height: 3000 });
  view.resize({ width: 1000, height: 800 });
  view.zoomToBox({ minX: 1000, minY: 1000, maxX: 1200, maxY: 1100 });
  expect(view.state.zoom).toBeCloseTo(3.5);
  expect(view.toScreen({ x: 1100, y: 1050 })).toEqual({ x: expect.closeTo(500), y: expect.closeTo(400) });
  view.zoomToBox({ minX: 5, minY: 5, maxX: 5, maxY: 5 });
  expect(view.state.zoom).toBe(10);
});

test("a point of the image is moved to the middle of the canvas, but the image stays in sight", () => {
  const view = viewOf();
  view.zoomTo(4);
  view.centre({ x: 300, y: 200 });
  expect(view.toScreen({ x: 300, y: 200 })).toEqual({ x: 500, y: 500 });
  view.centre({ x: 90_000, y: 200 });
  expect(view.seen().width).toBeGreaterThan(0);
});

test("an image that would lie under a panel is fitted beside it, and again into the canvas when the panel closes", () => {
  const view = viewOf();
  const { state: fitted } = view;
  view.cover({ left: 200, bottom: 0 });
  expect(view.state.zoom).toBeCloseTo(0.76);
  expect(view.toScreen({ x: 500, y: 250 })).toEqual({ x: 600, y: 500 });
  view.uncover();
  expect(view.state).toEqual(fitted);
  view.cover({ left: 0, bottom: 400 });
  expect(view.toScreen({ x: 500, y: 250 })).toEqual({ x: 500, y: 300 });
});

test("an image that does not lie under a panel stays where it is", () => {
  const view = viewOf(200, 1000);
  const { state: fitted } = view;
  view.cover({ left: 300, bottom: 0 });
  expect(view.state).toEqual(fitted);
});

test("an enlarged image keeps its zoom beside a panel, and returns when the panel closes", () => {
  const view = viewOf();
  view.zoomTo(4);
  const { state: enlarged } = view;
  view.cover({ left: 200, bottom: 0 });
  expect(view.state).toEqual({ ...enlarged, x: enlarged.x + 100 });
  view.uncover();
  expect(view.state).toEqual(enlarged);
});

test("an image that was moved while a panel was open stays where it is when the panel closes", () => {
  for (const isEnlarged of [false, true]) {
    const view = viewOf();
    if (isEnlarged) view.zoomTo(4);
    view.cover({ left: 200, bottom: 0 });
    view.panBy(10, 10);
    const { state: moved } = view;
    view.uncover();
    expect(view.state).toEqual(moved);
  }
});

test("a box is brought to the middle of the part that a panel does not cover", () => {
  const view = viewOf();
  view.cover({ left: 200, bottom: 0 });
  view.zoomToBox({ minX: 100, minY: 100, maxX: 200, maxY: 200 });
  expect(view.state.zoom).toBeCloseTo(5.6);
  expect(view.toScreen({ x: 150, y: 150 })).toEqual({ x: expect.closeTo(600), y: expect.closeTo(500) });
});
