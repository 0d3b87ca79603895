import { expect, it } from "vitest";
import { FormatError } from "../../../shared/formats/formatError";
import { boxOfVoc, vocBox, vocXml } from "../../../shared/formats/voc";
import { readVoc } from "../../../shared/formats/vocFile";

const SIDES = { width: 100, height: 80 };
const xml = (inner: string) =>
  `<?xml version="1.0"?><annotation><size><width>100</width><height>80</height></size>${inner}</annotation>`;
const object = (box: string, name = "cat") => `<object><name>${name}</name><bndbox>${box}</bndbox></object>`;
const corners = (xmin: unknown, ymin: unknown, xmax: unknown, ymax: unknown) =>
  `<xmin>${xmin}</xmin><ymin>${ymin}</ymin><xmax>${xmax}</xmax><ymax>${ymax}</ymax>`;

it("a box is its first and last pixels, counted from 1", () => {
  expect(vocBox([0, 0, 100, 80], SIDES)).toEqual({ xmin: 1, ymin: 1, xmax: 100, ymax: 80 });
  expect(vocBox([10, 20, 1, 1], SIDES)).toEqual({ xmin: 11, ymin: 21, xmax: 11, ymax: 21 });
  expect(vocBox([-5, 70, 20, 20], SIDES)).toEqual({ xmin: 1, ymin: 71, xmax: 15, ymax: 80 });
  expect(vocBox([99.7, 79.9, 0.2, 0.05], SIDES)).toEqual({ xmin: 100, ymin: 80, xmax: 100, ymax: 80 });
  expect(vocBox([100, 0, 5, 5], SIDES)).toBeUndefined();
});

it("a box of whole pixels comes back as it was", () => {
  for (const bbox of [
    [0, 0, 100, 80],
    [3, 4, 50, 60],
    [99, 79, 1, 1],
  ] as [number, number, number, number][])
    expect(boxOfVoc(vocBox(bbox, SIDES)!)).toEqual(bbox);
});

it("what is written is read again, whatever letters it has", () => {
  const name = `<b>"A" & 'B'</b> ]]> 猫 \u{1f600}`;
  const box = { xmin: 2, ymin: 3, xmax: 40, ymax: 50 };
  const objects = [
    { name, pose: "Left", truncated: true, difficult: false, box },
    { name: "x\u0000\u0007y", pose: "Unspecified", truncated: false, difficult: true, box },
  ];
  const text = vocXml({ folder: "a/b", filename: "c & d.jpg", database: "D", ...SIDES, objects });
  const read = readVoc(text);
  expect(read).toMatchObject({ filename: "c & d.jpg", ...SIDES });
  expect(read.objects).toEqual([
    { name, bbox: [1, 2, 39, 48], pose: "Left", truncated: "1", difficult: "0" },
    { name: "x\ufffd\ufffdy", bbox: [1, 2, 39, 48], pose: "Unspecified", truncated: "0", difficult: "1" },
  ]);
  expect(readVoc(vocXml({ folder: "", filename: "e.jpg", database: "", ...SIDES, objects: [] })).objects).toEqual([]);
});

it("one object and none are lists as well; parts of an object are none of its own", () => {
  expect(readVoc(xml(object(corners(1, 1, 10, 10)))).objects).toHaveLength(1);
  expect(readVoc(xml("")).objects).toEqual([]);
  const withPart = `<object><name>person</name><part><name>head</name><bndbox>${corners(1, 1, 2, 2)}</bndbox></part><bndbox>${corners(1, 1, 10, 10)}</bndbox></object>`;
  expect(readVoc(xml(withPart)).objects).toMatchObject([{ name: "person", bbox: [0, 0, 10, 10] }]);
});

it("a pixel beyond the border is cut off, more is refused", () => {
  expect(readVoc(xml(object(corners(0, 0, 101, 81)))).objects).toMatchObject([{ bbox: [0, 0, 100, 80] }]);
  const reasons = [
    [corners(1, 1, 103, 10), "outside the picture"],
    [corners(-2, 1, 10, 10), "outside the picture"],
    [corners(10, 1, 9, 10), "without width or height"],
    [corners("NaN", 1, 9, 10), "not a number"],
    [corners("", 1, 9, 10), "not a number"],
    ["", "no bndbox"],
  ] as const;
  for (const [box, reason] of reasons) {
    const [read] = readVoc(xml(object(box))).objects;
    expect(read).toBeInstanceOf(FormatError);
    expect((read as FormatError).message).toContain(reason);
  }
  const turned = "<object><name>ship</name><robndbox><cx>5</cx><cy>5</cy></robndbox></object>";
  expect(readVoc(xml(turned)).objects).toMatchObject([{ message: "has no bndbox" }]);
  expect(readVoc(xml(object(corners(-0.02, 1, 10, 10)))).objects).toMatchObject([{ bbox: [0, 0, 10, 10] }]);
});

it.each([
  ["nothing", "", "no sound XML"],
  ["no XML", "just words", "no sound XML"],
  ["another XML", "<kml><a>1</a></kml>", "no Pascal VOC annotation"],
  ["what is cut off", "<annotation><object>", "no sound XML"],
  [
    "entities of entities",
    `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><annotation><filename>&b;</filename></annotation>`,
    "document type",
  ],
  ["an entity of a file", `<!DOCTYPE x SYSTEM "file:///etc/passwd"><annotation/>`, "document type"],
  ["what is nested too deep", "<a>".repeat(100_000), "no sound XML"],
])("%s is refused", (_, text, reason) => {
  expect(() => readVoc(text)).toThrow(FormatError);
  expect(() => readVoc(text)).toThrow(reason);
});
