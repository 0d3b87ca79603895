import fc from "fast-check";
import { expect, test } from "vitest";
import { cutOutlines } from "../../../../server/features/bodies/cutOutlines";
import { nameOfCall, readLargeBody } from "../../../../server/features/bodies/readLargeBody";
import { readState } from "../../../../server/features/bodies/savedState";
import { saveAnnotatorData } from "../../../../shared/api/annotator";

const read = (json: string) => readLargeBody({ call: nameOfCall(saveAnnotatorData), bytes: Buffer.from(json) });
/** Reads a save whose outlines are parsed together with everything else. */
const readWhole = (json: string) => ({ state: readState(JSON.parse(json), 2_000_000) });

const points = fc.array(fc.tuple(fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.integer({ min: -9, max: 9 })));
const path = points.map((segments) => ["Path", { segments, closed: true, compoundPath: [1, '"]}'] }]);
const outline = fc.oneof(path, fc.constantFrom(null, 0, 1, "0", 'a\\"]', [], [[]], true, { compoundPath: 3 }));
const annotation = fc.record(
  { id: fc.integer(), compoundPath: outline, metadata: fc.constant({ categories: [] }) },
  { requiredKeys: ["id"] },
);
const category = fc.record({ id: fc.integer(), annotations: fc.option(fc.array(annotation)) });
const save = fc.record({
  user: fc.constant({ categories: [{ annotations: [{ compoundPath: 5 }] }] }),
  image: fc.record({ id: fc.integer() }),
  categories: fc.option(fc.array(category)),
});

test("a save is read the same whether its outlines are cut out or everything is parsed at once", () => {
  const spaces = fc.constantFrom("", " ", "\t", "\n");
  fc.assert(
    fc.property(save, spaces, (body, space) => {
      const json = JSON.stringify(body, null, space);
      expect(read(json)).toEqual(readWhole(json));
    }),
  );
});

test("the last of several repeated or escaped keys counts, as when everything is parsed at once", () => {
  const of = (outlineText: string) => `{"id":1,${outlineText}}`;
  const square = '["Path",{"segments":[[0,0],[1,0],[1,1]],"closed":true}]';
  const other = '["Path",{"segments":[[0,0],[5,0],[5,5]],"closed":true}]';
  const annotations = [
    `"compoundPath":${square},"compoundPath":${other}`,
    `"compoundPath":${square},"compound\\u0050ath":${other}`,
    `"compound\\u0050ath":0,"metadata":{"compoundPath":1}`,
    `"compoundPath":${square},"compoundPath":null`,
  ].map(of);
  const categories = `"categories":[{"id":1,"annotations":[${annotations.join(" , ")}]}]`;
  const json = `{"image":{"id":1},"categories":[{"id":1,"annotations":[${of(`"compoundPath":${other}`)}]}],${categories}}`;
  expect(read(json)).toEqual(readWhole(json));
});

test("a text that is not JSON is refused, wherever it is cut off or changed", () => {
  const path = [
    "Path",
    {
      segments: [
        [0, 0],
        [1, 0],
        [1, 1],
      ],
      closed: true,
    },
  ];
  const json = JSON.stringify({
    image: { id: 1 },
    categories: [{ id: 1, annotations: [{ compoundPath: path, id: 1 }] }],
  });
  const isJson = (text: string) => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  const texts = Array.from({ length: json.length }, (_, i) => [
    json.slice(0, i),
    ...["", ",", "]", "}", "[", "{", '"', "1", " 1", "x"].map((by) => json.slice(0, i) + by + json.slice(i + 1)),
  ]).flat();
  for (const text of texts.filter((each) => !isJson(each)))
    expect([text, read(text)]).toMatchObject([text, { refusal: { status: 400 } }]);
});

test("outlines share the body's memory, and the rest has none of their coordinates", () => {
  const body = Buffer.from('{"image":{"id":1},"categories":[{"annotations":[{"compoundPath":[1,2,[3]],"id":1}]}]}');
  const { rest, outlines } = cutOutlines(body);
  expect(rest.toString()).toBe('{"image":{"id":1},"categories":[{"annotations":[{"compoundPath": 0 ,"id":1}]}]}');
  expect(outlines.map((each) => [Buffer.from(each).toString(), each.buffer === body.buffer])).toEqual([
    ["[1,2,[3]]", true],
  ]);
});
