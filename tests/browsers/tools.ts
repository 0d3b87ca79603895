import assert from "node:assert/strict";
import { z } from "zod";
import { type BrowserPage, KEYS, until } from "./browserPage";
import { chooseTool, type OpenImage } from "./steps";

/** The first use loads eighteen megabytes and starts WebAssembly. */
const DEXTR_SECONDS = 120;
/** Area in pixels of the image's red square. */
const SQUARE = 200 * 200;

/**
 * Uses each tool once on an image without annotations, and undoes and redoes a box. Returns the number of annotations
 * that are then stored.
 */
export async function tryEachTool(page: BrowserPage, { at, stored, countIs }: OpenImage): Promise<number> {
  const last = `(${stored}).then((all) => all.at(-1))`;
  const lastHas = (test: string) => until(page, `(${last}).then((last) => ${test})`);
  const click = (x: number, y: number) => page.drag([at(x, y)]);

  await chooseTool(page, "BBox", "r");
  await page.drag([at(100, 100), at(200, 150), at(300, 250)]);
  await countIs(1);
  const box = z.array(z.number()).parse(await page.evaluate(`(${last}).then(({ bbox }) => bbox)`));
  for (const [i, wanted] of [100, 100, 200, 150].entries())
    assert(Math.abs((box[i] ?? 0) - wanted) < 2, `the box is ${box}`);
  await page.keys(["b"]);
  await page.drag([at(300, 300), at(350, 350), at(400, 300)]);
  await lastHas(`last.bbox[2] > 300`);
  const area = Number(await page.evaluate(`(${last}).then((last) => last.area)`));
  await page.keys(["e"]);
  await page.drag([at(150, 150), at(200, 180), at(250, 150)]);
  await lastHas(`last.area < ${area} - 100`);

  await page.keys(["r"]);
  await page.drag([at(400, 400), at(450, 450), at(500, 500)]);
  await countIs(2);
  await page.keys(["z"], [KEYS.control]);
  await countIs(1);
  await page.keys(["Z"], [KEYS.control, KEYS.shift]);
  await countIs(2);
  await page.keys(["s"]);
  await page.drag([at(450, 450), at(470, 450), at(490, 450)]);
  await lastHas(`last.bbox[0] > 430`);

  await page.keys(["r", "a", KEYS.enter]);
  await page.keys([KEYS.right, KEYS.right, KEYS.down, KEYS.down], [KEYS.shift]);
  await page.keys([KEYS.enter, "a"]);
  await countIs(3);

  await page.keys([" ", "v"]);
  for (const [x, y] of [
    [40, 500],
    [120, 500],
    [80, 560],
  ] as const)
    await click(x, y);
  await page.keys([KEYS.enter]);
  await countIs(4);
  await page.keys(["E"], [KEYS.shift]);
  await page.drag([at(200, 450), at(250, 480), at(300, 550)]);
  await countIs(5);
  await page.keys(["B"], [KEYS.shift]);
  await page.drag([at(20, 300), at(50, 300), at(80, 320)]);
  await click(70, 400);
  await countIs(6);
  await page.keys(["i"]);
  await page.drag([at(10, 350), at(50, 352), at(110, 355)]);
  await countIs(7);

  await page.keys([" ", "w"]);
  await click(600, 200);
  await countIs(8);
  await lastHas(`Math.abs(last.area - ${SQUARE}) < ${SQUARE / 10}`);
  await page.keys([" "]);
  await page.keys(["P"], [KEYS.shift]);
  for (const [x, y] of [
    [501, 101],
    [699, 101],
    [699, 299],
    [501, 299],
  ] as const)
    await click(x, y);
  await page.keys([KEYS.enter]);
  await countIs(9);
  await lastHas(`Math.abs(last.area - ${SQUARE}) < ${SQUARE / 10}`);
  await page.keys([" ", "d"]);
  for (const [x, y] of [
    [600, 101],
    [501, 200],
    [600, 299],
    [699, 200],
  ] as const)
    await click(x, y);
  await page.keys([KEYS.enter]);
  await countIs(10, DEXTR_SECONDS);
  await page.keys(["k"]);
  await click(560, 150);
  await click(640, 250);
  await lastHas(`last.num_keypoints === 2`);
  return 10;
}
