import { expect, it } from "vitest";
import {
  type Piece,
  type ThreadData,
  takeImageThread,
} from "../../../../../server/features/exports/formats/imageThread";

const category = (id: number) => ({
  id,
  name: `thing ${id}`,
  supercategory: "",
  color: "#ff0000",
  metadata: {},
  keypoints: { labels: [], edges: [], removed: [] },
  attributes: [],
});

const dataOf = (format: ThreadData["format"], categories = 1): ThreadData => ({
  format,
  datasetName: "things",
  categories: Array.from({ length: categories }, (_, i) => category(i + 1)),
  splits: undefined,
});

/** Returns a row with a square of ten pixels. */
const row = (id: number, category_id = 1) => ({
  id,
  category_id,
  shape: JSON.stringify([[0, 0, 10, 0, 10, 10, 0, 10]]),
  bbox: [0, 0, 10, 10] as [number, number, number, number],
  iscrowd: false,
  isbbox: false,
  attributes: null,
  keypoints: null,
  extra: null,
});

const image = (stem: string) => ({
  image: { path: `${stem}.jpg`, folder: "", width: 20, height: 10 },
  stem,
  split: undefined,
});

it("an image's annotations arrive in parts, and its files come with the last part", async () => {
  const thread = takeImageThread();
  await thread.ask({ part: "head", data: dataOf("yolo-detection") });
  const pieces: Piece[] = [
    { image: image("a"), rows: [row(1)], isLast: false },
    { image: image("a"), rows: [row(2), row(3, 99), { ...row(4), iscrowd: true }], isLast: true },
    { image: image("b"), rows: [], isLast: true },
  ];
  const first = await thread.ask({ part: "images", pieces: pieces.slice(0, 1) });
  const rest = await thread.ask({ part: "images", pieces: pieces.slice(1) });
  expect(first).toEqual({ done: [{ files: [], imagePath: "" }], annotations: 1, omissions: [] });
  const line = "0 0.25 0.5 0.5 1\n";
  expect(rest.done).toEqual([
    { files: [{ path: "labels/a.txt", content: line + line }], imagePath: "images/a.jpg" },
    { files: [{ path: "labels/b.txt", content: "" }], imagePath: "images/b.jpg" },
  ]);
  expect([rest.annotations, rest.omissions]).toEqual([1, [{ text: expect.stringContaining("crowd"), id: 4 }]]);
  thread.end();
});

it("a thread is reusable after an export that failed or was cancelled", async () => {
  const failing = takeImageThread();
  await expect(failing.ask({ part: "head", data: dataOf("semantic-masks", 256) })).rejects.toThrow("255 categories");
  failing.end();
  const givenUp = takeImageThread();
  await givenUp.ask({ part: "head", data: dataOf("voc") });
  await givenUp.ask({ part: "images", pieces: [{ image: image("x"), rows: [row(1)], isLast: false }] });
  givenUp.end();
  const thread = takeImageThread();
  await thread.ask({ part: "head", data: dataOf("voc") });
  await thread.ask({ part: "images", pieces: [{ image: image("a"), rows: [], isLast: true }] });
  const { done } = await thread.ask({ part: "tail" });
  expect(done[0]?.files).toEqual([{ path: "ImageSets/Main/trainval.txt", content: "a\n" }]);
  thread.end();
});

it("two exports at once have a thread each", async () => {
  const [one, two] = [takeImageThread(), takeImageThread()];
  await Promise.all([
    one.ask({ part: "head", data: dataOf("yolo-detection") }),
    two.ask({ part: "head", data: dataOf("voc") }),
  ]);
  const pieces = [{ image: image("a"), rows: [row(1)], isLast: true }];
  const answers = await Promise.all([one, two].map((thread) => thread.ask({ part: "images", pieces })));
  expect(answers.map(({ done }) => done[0]?.files[0]?.path)).toEqual(["labels/a.txt", "Annotations/a.xml"]);
  one.end();
  two.end();
});
