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

it("a box is written as its first and last pixels, counted from 1", () => {
  expect(vocBox([0, 0, 100, 80], SIDES)).toEqual({ xmin: 1, ymin: 1, xmax: 100, ymax: 80 });
  expect(vocBox([10, 20, 1, 1], SIDES)).toEqual({ xmin: 11, ymin: 21, xmax: 11, ymax: 21 });
  expect(vocBox([-5, 70, 20, 20], SIDES)).toEqual({ xmin: 1, ymin: 71, xmax: 15, ymax: 80 });
  expect(vocBox([99.7, 79.9, 0.2, 0.05], SIDES)).toEqual({ xmin: 100, ymin: 80, xmax: 100, ymax: 80 });
  expect(vocBox([100, 0, 5, 5], SIDES)).toBeUndefined();
});

it("a box of whole pixels is read back unchanged", () => {
  for (const bbox of [
    [0, 0, 100, 80],
    [3, 4, 50, 60],
    [99, 79, 1, 1],
  ] as [number, number, number, number][])
    expect(boxOfVoc(vocBox(bbox, SIDES)!)).toEqual(bbox);
});

it("a written file is read back unchanged, with any characters", () => {
  const name = `<b>"A" & 'B'</b> ]]> 猫 \u{1f600}`;
  const box = { xmin: 2, ymin: 3, xmax: 40, ymax: 50 };
  const objects = [
    { name, pose: "Left", truncated: true, occluded: true, difficult: false, box },
    { name: "x\u0000\u0007y", pose: "Unspecified", truncated: false, occluded: false, difficult: true, box },
  ];
  const text = vocXml({ folder: "a/b", filename: "c & d.jpg", database: "D", ...SIDES, objects });
  const read = readVoc(text);
  expect(read).toMatchObject({ filename: "c & d.jpg", ...SIDES });
  expect(read.objects).toEqual([
    { name, bbox: [1, 2, 39, 48], pose: "Left", truncated: "1", occluded: "1", difficult: "0" },
    {
      name: "x\ufffd\ufffdy",
      bbox: [1, 2, 39, 48],
      pose: "Unspecified",
      truncated: "0",
      occluded: "0",
      difficult: "1",
    },
  ]);
  expect(readVoc(vocXml({ folder: "", filename: "e.jpg", database: "", ...SIDES, objects: [] })).objects).toEqual([]);
});

it("one object or none is read as a list, and parts of an object are not read as objects", () => {
  expect(readVoc(xml(object(corners(1, 1, 10, 10)))).objects).toHaveLength(1);
  expect(readVoc(xml("")).objects).toEqual([]);
  const withPart = `<object><name>person</name><part><name>head</name><bndbox>${corners(1, 1, 2, 2)}</bndbox></part><bndbox>${corners(1, 1, 10, 10)}</bndbox></object>`;
  expect(readVoc(xml(withPart)).objects).toMatchObject([{ name: "person", bbox: [0, 0, 10, 10] }]);
});

it("a box that exceeds the border by a pixel is clipped, one that exceeds it by more is refused", () => {
  expect(readVoc(xml(object(corners(0, 0, 101, 81)))).objects).toMatchObject([{ bbox: [0, 0, 100, 80] }]);
  const reasons = [
    [corners(1, 1, 103, 10), "outside the image"],
    [corners(-2, 1, 10, 10), "outside the image"],
    [corners(10, 1, 9, 10), "without width or height"],
    [corners("NaN", 1, 9, 10), "not a number"],
    [corners("", 1, 9, 10), "not a number"],
    ["", "neither bndbox nor polygon"],
  ] as const;
  for (const [box, reason] of reasons) {
    const [read] = readVoc(xml(object(box))).objects;
    expect(read).toBeInstanceOf(FormatError);
    expect((read as FormatError).message).toContain(reason);
  }
  const turned = "<object><name>ship</name><robndbox><cx>5</cx><cy>5</cy></robndbox></object>";
  expect(readVoc(xml(turned)).objects).toMatchObject([{ message: "has neither bndbox nor polygon" }]);
  expect(readVoc(xml(object(corners(-0.02, 1, 10, 10)))).objects).toMatchObject([{ bbox: [0, 0, 10, 10] }]);
});

const outlined = (inner: string, box = "") =>
  readVoc(xml(`<object><name>cat</name>${box && `<bndbox>${box}</bndbox>`}${inner}</object>`)).objects[0];
const numbered = (...numbers: unknown[]) =>
  `<polygon>${numbers.map((value, i) => `<${"xy"[i % 2]}${(i >> 1) + 1}>${value}</${"xy"[i % 2]}${(i >> 1) + 1}>`).join("")}</polygon>`;
const pts = (...numbers: number[]) =>
  `<polygon><username>me</username>${numbers.map((value, i) => (i % 2 ? `<y>${value}</y></pt>` : `<pt><x>${value}</x>`)).join("")}</polygon>`;

it("outlines of numbered points count from 1 like boxes, those of LabelMe from 0", () => {
  const box = corners(11, 11, 20, 30);
  expect(outlined(numbered(11, 11, 20.5, 11, "2e1", 30), box)).toMatchObject({
    bbox: [10, 10, 10, 20],
    outline: [[10, 10, 19.5, 10, 19, 29]],
  });
  expect(outlined(pts(11, 11, 20, 11, 20, 30))).toMatchObject({ outline: [[11, 11, 20, 11, 20, 30]] });
  expect(outlined(pts(11, 11, 20, 11, 20, 30))).not.toHaveProperty("bbox");
});

it("outlines may have points in any order and several pieces, and may exceed the border by one pixel at most", () => {
  const shuffled = "<polygon><y3>30</y3><x10>5</x10><x2>20</x2><y2>11</y2><y10>6</y10><x3>20</x3></polygon>";
  expect(outlined(shuffled)).toMatchObject({ outline: [[19, 10, 19, 29, 4, 5]] });
  const piece = numbered(1, 1, 5, 1, 5, 5);
  expect(outlined(piece + numbered(2, 2, 3, 3) + piece)).toMatchObject({
    outline: [
      [0, 0, 4, 0, 4, 4],
      [0, 0, 4, 0, 4, 4],
    ],
  });
  expect(outlined(numbered(0, 0.5, 102, 1, 5, 82))).toMatchObject({ outline: [[0, 0, 100, 0, 4, 80]] });
  expect(outlined(numbered(-7, 1, 150, 1, 5, 80))).toMatchObject({ outline: [[-8, 0, 149, 0, 4, 79]] });
});

it("an unusable outline is reported unless there is a box, and so is a deleted object", () => {
  const box = corners(11, 11, 20, 30);
  expect(outlined(numbered(1, 1, 2, 2), box)).toMatchObject({ bbox: [10, 10, 10, 20] });
  expect(outlined("<polygon/>", box)).not.toHaveProperty("outline");
  expect(outlined(numbered(1, 1, 2, 2))).toMatchObject({ message: "has an outline of fewer than three points" });
  expect(outlined(numbered(1, 1, 2, 2, 3))).toMatchObject({ message: "has an outline point without x or y" });
  expect(outlined(numbered(1, 1, 2, 2, 3, "x"))).toMatchObject({ message: "has a value that is not a number" });
  expect(outlined("<polygon><x1>1</x1><x1>2</x1><y1>3</y1></polygon>", box)).toMatchObject({
    message: "has an outline point without x or y",
  });
  expect(outlined(numbered(1, 1, 9, 1, 9, 9), corners(9, 1, 1, 5))).not.toHaveProperty("bbox");
  expect(outlined(`<deleted>1</deleted>${numbered(1, 1, 9, 1, 9, 9)}`)).toMatchObject({
    message: "is marked as deleted in the file",
  });
});

it("LabelMe's boxes are boxes, and its size is the image's", () => {
  expect(outlined(`<type>bounding_box</type>${pts(10, 10, 30, 10, 30, 20, 10, 20)}`)).toMatchObject({
    bbox: [10, 10, 20, 10],
  });
  const read = readVoc("<annotation><imagesize><nrows>80</nrows><ncols>100</ncols></imagesize></annotation>");
  expect(read).toMatchObject(SIDES);
});

it.each([
  ["an empty text", "", "is not valid XML"],
  ["plain text", "just words", "is not valid XML"],
  ["another XML", "<kml><a>1</a></kml>", "is not a Pascal VOC annotation"],
  ["truncated XML", "<annotation><object>", "is not valid XML"],
  [
    "an entity that expands to entities",
    `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><annotation><filename>&b;</filename></annotation>`,
    "has a DTD",
  ],
  ["an external entity", `<!DOCTYPE x SYSTEM "file:///etc/passwd"><annotation/>`, "has a DTD"],
  ["XML nested too deep", "<a>".repeat(100_000), "is not valid XML"],
])("%s is refused", (_, text, reason) => {
  expect(() => readVoc(text)).toThrow(FormatError);
  expect(() => readVoc(text)).toThrow(reason);
});
