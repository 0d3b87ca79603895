import { randomUUID } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { blankAnnotation } from "../../../shared/edits/apply";
import type { Annotation } from "../../../shared/entities/annotation";
import { CopyStore } from "../../../web/offline/copy/copyStore";
import { isSameStored, packScene, unpackScene } from "../../../web/offline/copy/packedScene";
import type { SceneRow } from "../../../web/offline/copy/records";

const opened: CopyStore[] = [];
afterEach(() => {
  for (const store of opened.splice(0)) store.close();
});

function annotation(change: Partial<Annotation>): Annotation {
  return { ...blankAnnotation(randomUUID(), 3), ...change };
}

const rle = { size: [2, 3] as [number, number], counts: [1, 2, 3] };
const scene = {
  image_id: 3,
  image: { id: 3, revision: 8, file_name: "a.png" },
  annotations: [
    annotation({ rings: [[[0.1, -0, 1 / 3, 4e-7, 5, 6]]], metadata: { rings: 2, text: "outlines" } }),
    annotation({ rings: null, rle, iscrowd: true }),
    annotation({ rings: [], keypoints: [{ label: 1, x: 1.5, y: 2, v: 2 }] }),
    annotation({
      rings: [
        [
          [0, 0, 9, 0, 9, 9],
          [1, 1, 2, 1, 2, 2],
        ],
        [[20, 20, 30, 20, 30, 30]],
      ],
    }),
    annotation({ rings: null, isbbox: true, bbox: [1, 2, 3, 4] }),
  ],
} as unknown as SceneRow;

test("a stored scene comes back exactly as it was", () => {
  expect(unpackScene(structuredClone(packScene(scene)))).toEqual(scene);
  const empty = { ...scene, annotations: [] };
  expect(unpackScene(structuredClone(packScene(empty)))).toEqual(empty);
});

test("stored scenes are equal exactly if everything in them is", () => {
  const packed = packScene(scene);
  expect(isSameStored(packed, structuredClone(packed))).toBe(true);
  expect(isSameStored(scene, structuredClone(scene))).toBe(true);
  expect(isSameStored(packed, scene)).toBe(false);
  const changes: ((row: SceneRow) => void)[] = [
    (row) => (row.annotations[0]!.rings![0]![0]![2] = 0.3333),
    (row) => (row.annotations[0]!.color = "#010203"),
    (row) => row.annotations[3]!.rings!.reverse(),
    (row) => row.annotations[3]!.rings!.splice(0, 2, row.annotations[3]!.rings!.flat()),
    (row) => row.annotations.pop(),
    (row) => (row.image.revision = 9),
  ];
  for (const change of changes) {
    const other = structuredClone(scene);
    change(other);
    expect(isSameStored(packed, packScene(other))).toBe(false);
    expect(isSameStored(scene, other)).toBe(false);
  }
});

test("the copy returns scenes stored by this and by earlier versions, with every method of reading", async () => {
  const store = new CopyStore(randomUUID());
  opened.push(store);
  const older = { ...scene, image_id: 4 };
  await store.scenes.bulkPut([packScene(scene), older]);
  await store.scenes
    .where("image_id")
    .above(0)
    .modify((row) => {
      row.image = { ...row.image, file_name: "b.png" };
    });
  const [first, second] = [scene, older].map((row) => ({ ...row, image: { ...row.image, file_name: "b.png" } }));
  expect([await store.scenes.get(3), await store.scenes.get(4)]).toEqual([first, second]);
  expect(await store.scenes.bulkGet([3, 4])).toEqual([first, second]);
  const each: SceneRow[] = [];
  await store.scenes.each((row) => each.push(row));
  expect(each).toEqual([first, second]);
});
