import { describe, expect, it } from "vitest";
import { ringOfLine } from "../../../shared/geometry/lines/line";
import type { CheckedAnnotation } from "../../../shared/quality/checkedImage";
import { findInImage } from "../../../shared/quality/findInImage";
import type { Finding } from "../../../shared/quality/finding";

let nextId = 0;

/** Returns an outline around a box, with values that differ from it. */
function drawn([x, y, w, h]: [number, number, number, number], values: Partial<CheckedAnnotation> = {}) {
  const shape = [[x, y, x + w, y, x + w, y + h, x, y + h]];
  return annotation({ shape, bbox: [x, y, w, h], area: w * h, isbbox: false, ...values });
}

const boxed = (bbox: CheckedAnnotation["bbox"], values: Partial<CheckedAnnotation> = {}) =>
  annotation({ bbox, area: bbox[2] * bbox[3], ...values });

function annotation(values: Partial<CheckedAnnotation>): CheckedAnnotation {
  const base = { category_id: 1, shape: null, bbox: [0, 0, 0, 0] as [number, number, number, number], area: 0 };
  return { id: ++nextId, ...base, isbbox: true, iscrowd: false, keypoints: null, ...values };
}

function find(...annotations: CheckedAnnotation[]): [kind: string, annotation: number][] {
  return findings(...annotations).map(({ kind, annotation: id }) => [kind, id!]);
}

const findings = (...annotations: CheckedAnnotation[]): Finding[] =>
  findInImage({ id: 7, width: 640, height: 480, annotations });

describe("annotations at the same place", () => {
  it("finds the newer of two equal outlines of a category", () => {
    const [first, second] = [drawn([10, 10, 100, 80]), drawn([10, 10, 100, 80])];
    expect(findings(second, first)).toEqual([
      {
        kind: "duplicate",
        image: 7,
        annotation: second.id,
        otherAnnotation: first.id,
        score: 1,
        details: { overlap: 1 },
      },
    ]);
  });

  it("finds equal boxes, and a box around an outline", () => {
    const first = boxed([10, 10, 100, 80]);
    const second = boxed([11, 10, 100, 80]);
    const outline = drawn([10, 10, 100, 80], { category_id: 2 });
    expect(find(first, second, outline)).toEqual([
      ["duplicate", second.id],
      ["contradiction", outline.id],
    ]);
  });

  it("leaves outlines alone that overlap by less, although their boxes are equal", () => {
    const bbox: [number, number, number, number] = [0, 0, 100, 100];
    const lower = annotation({ shape: [[0, 0, 100, 100, 0, 100]], bbox, area: 5000, isbbox: false });
    const upper = annotation({ shape: [[0, 0, 100, 0, 100, 100]], bbox, area: 5000, isbbox: false });
    expect(find(lower, upper)).toEqual([]);
  });

  it("finds a different category at the same place, and never compares crowds", () => {
    const [first, second] = [drawn([10, 10, 100, 80]), drawn([10, 10, 100, 80], { category_id: 2 })];
    expect(find(first, second)).toEqual([["contradiction", second.id]]);
    expect(find(first, { ...second, iscrowd: true })).toEqual([]);
  });
});

describe("outlines", () => {
  it("finds tiny annotations and slivers, but neither thin objects nor lines", () => {
    const tiny = boxed([5, 5, 3, 2]);
    const sliver = drawn([50, 50, 200, 2]);
    const pole = drawn([300, 50, 8, 200]);
    const line = ringOfLine([10, 300, 200, 310]);
    const drawnLine = annotation({ shape: { rings: [[line]] }, bbox: [10, 300, 190, 10], isbbox: false });
    expect(find(tiny, sliver, pole, drawnLine)).toEqual([
      ["tiny", tiny.id],
      ["sliver", sliver.id],
    ]);
  });

  it("finds an outline that crosses itself, but not one that only touches itself", () => {
    const eight = annotation({
      shape: [[0, 0, 100, 100, 100, 0, 0, 100]],
      bbox: [0, 0, 100, 100],
      area: 5000,
      isbbox: false,
    });
    const touching = annotation({
      shape: [[200, 0, 300, 0, 300, 100, 250, 0, 200, 100]],
      bbox: [200, 0, 100, 100],
      area: 5000,
      isbbox: false,
    });
    expect(find(eight, touching)).toEqual([["crossing", eight.id]]);
  });

  it("finds an object in many pieces", () => {
    const shape = Array.from({ length: 20 }, (_, i) => [20 * i, 0, 20 * i + 10, 0, 20 * i + 10, 40, 20 * i, 40]);
    const torn = annotation({ shape, bbox: [0, 0, 390, 40], area: 8000, isbbox: false });
    expect(find(torn)).toEqual([["pieces", torn.id]]);
    expect(find({ ...torn, iscrowd: true })).toEqual([]);
  });

  it("leaves keypoints without a shape alone", () => {
    const keypoints = [{ label: 1, x: 10, y: 10, v: 2 }];
    expect(find(annotation({ keypoints, isbbox: false, bbox: [10, 10, 0, 0] }))).toEqual([]);
  });
});

describe("places", () => {
  it("finds a box that was shifted away from its outline", () => {
    const shifted = drawn([100, 100, 80, 60], { bbox: [112, 100, 80, 60] });
    expect(find(shifted)).toEqual([["boxMismatch", shifted.id]]);
  });

  it("finds a small box that was shifted by two pixels, but not by one", () => {
    const shifted = drawn([100, 100, 12, 14], { bbox: [102, 100, 12, 14] });
    expect(find(shifted, drawn([200, 100, 12, 14], { bbox: [201, 99, 12, 14] }))).toEqual([
      ["boxMismatch", shifted.id],
    ]);
  });

  it("compares the box with a mask, too, and allows for rounding", () => {
    const counts = [100 * 480 + 50, ...Array.from({ length: 59 }, () => [40, 440]).flat(), 40];
    counts.push(640 * 480 - counts.reduce((sum, run) => sum + run, 0));
    const rle = { size: [480, 640] as [number, number], counts };
    const fitting = annotation({ shape: rle, bbox: [99, 49, 62, 42], area: 2400, isbbox: false });
    expect(find(fitting)).toEqual([]);
    expect(find({ ...fitting, bbox: [80, 50, 60, 40] })).toEqual([["boxMismatch", fitting.id]]);
  });

  it("finds what lies outside the image, but not a pixel of rounding", () => {
    const box = boxed([600, 400, 80, 60]);
    const outline = drawn([-20, 100, 80, 60]);
    expect(find(box, outline, drawn([-1, 300, 50, 50]))).toEqual([
      ["outside", box.id],
      ["outside", outline.id],
    ]);
  });

  it("finds labelled keypoints outside their box", () => {
    const inside = { label: 1, x: 120, y: 120, v: 2 };
    const outside = { label: 2, x: 300, y: 120, v: 1 };
    const absent = { label: 3, x: 0, y: 0, v: 0 };
    const posed = drawn([100, 100, 80, 60], { keypoints: [inside, outside, absent] });
    expect(findings(posed)).toMatchObject([{ kind: "pointsOutside", details: { count: 1, pixels: 120 } }]);
    expect(find({ ...posed, keypoints: [inside, absent] })).toEqual([]);
  });
});
