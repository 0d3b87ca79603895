import { expect, test } from "vitest";
import { Outlines } from "../../../../web/annotator/document/outlines";
import { annotationOf, SQUARE } from "../testEditor";

const crowd = annotationOf(1, { rings: null, rle: { size: [480, 640], counts: [307_200] }, iscrowd: true });

test("a mask is traced once, and its outline is announced", async () => {
  const announcedUuids: string[] = [];
  let requested = 0;
  const trace = async () => {
    requested++;
    return [[SQUARE]];
  };
  const outlines = new Outlines(trace, (uuid) => announcedUuids.push(uuid));
  expect([outlines.of(crowd), outlines.of(crowd)]).toEqual([[], []]);
  await Promise.resolve();
  expect(announcedUuids).toEqual([crowd.uuid]);
  expect(outlines.of(crowd)).toEqual([[SQUARE]]);
  expect(requested).toBe(1);
});

test("a mask that cannot be traced has no outline, and is tried three times, because a worker may crash", async () => {
  let requested = 0;
  const trace = async () => {
    requested++;
    throw new Error("malformed");
  };
  const outlines = new Outlines(trace, () => undefined);
  for (let i = 0; i < 5; i++) {
    expect(outlines.of(crowd)).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  expect(requested).toBe(3);
});

test("a bounding box alone is shown as a rectangle, but not that of keypoints alone", () => {
  const outlines = new Outlines(
    async () => [],
    () => undefined,
  );
  const box = annotationOf(1, { rings: null, bbox: [10, 20, 30, 40] });
  expect(outlines.of(box)).toEqual([[[10, 20, 40, 20, 40, 60, 10, 60]]]);
  expect(outlines.of({ ...box, keypoints: [{ label: 1, x: 10, y: 20, v: 2 }] })).toEqual([]);
  expect(outlines.of({ ...box, bbox: [0, 0, 0, 0] })).toEqual([]);
});

test("existing rings are shown, even if a mask or box is present", () => {
  const outlines = new Outlines(
    async () => [],
    () => undefined,
  );
  expect(outlines.of({ ...crowd, rings: [] })).toEqual([]);
  expect(outlines.of({ ...crowd, rings: [[SQUARE]] })).toEqual([[SQUARE]]);
});
