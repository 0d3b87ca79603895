import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type EvaluateOptions, evaluate } from "../../../model/evaluate/evaluate";
import { readOptions } from "../../../model/evaluate/options";
import { type PackedObject, packsIn, readPack, readSample } from "../../../model/evaluate/pack";
import { whiteIsObject } from "../../support/dextr";
import { temporaryFolder } from "../../support/folders";
import { brightness } from "../../support/networks";
import { writePack } from "../../support/packs";

const ROOT = resolve(import.meta.dirname, "../../..");
const MODEL = join(ROOT, "model/dextr.onnx");
const OPTIONS: EvaluateOptions = {
  size: 64,
  padding: 50,
  noise: 0.02,
  scale: 1,
  limit: 99,
  guide: true,
  paddings: true,
};

let folder: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  await writePack(folder, "test-a", [
    { source: "boards", width: 120, height: 90, box: [20, 10, 80, 60] },
    { source: "boards", width: 60, height: 60, box: [0, 0, 30, 30] },
    { source: "chips", width: 64, height: 64, box: [30, 30, 50, 50], ignored: [0, 0, 64, 35] },
  ]);
});

async function objects() {
  return readPack(folder, "test-a");
}

describe("a pack", () => {
  it("a pack provides photographs, positioned masks and ignored areas", async () => {
    const [first, , third] = await objects();
    const { photograph, mask, ignored } = await readSample(first!, 1);
    expect(ignored).toBeNull();
    expect(mask.data.reduce((sum, bit) => sum + bit, 0)).toBe(60 * 50);
    mask.data.forEach((bit, i) => {
      expect(photograph.data[4 * i]).toBe(255 * bit);
    });
    const last = await readSample(third!, 1);
    expect(last.ignored?.data.reduce((sum, bit) => sum + bit, 0)).toBe(64 * 35);
  });

  it("a pack can be enlarged, with photograph and mask alike", async () => {
    const [first] = await objects();
    const { photograph, mask } = await readSample(first!, 2.5);
    expect([photograph.width, photograph.height, mask.width, mask.height]).toEqual([300, 225, 300, 225]);
    expect(mask.data.reduce((sum, bit) => sum + bit, 0)).toBeCloseTo(60 * 50 * 2.5 ** 2, -3);
  });

  it("a damaged pack is named with the fault", async () => {
    const write = (name: string, json: string, bytes = 0) =>
      Promise.all([
        writeFile(join(folder, `${name}.json`), json),
        writeFile(join(folder, `${name}.bin`), Buffer.alloc(bytes)),
      ]);
    const item = { s: "s", k: "key", w: 10, h: 10, i: [0, 5], m: [[0, 0, 10, 10, 5, 5]] };
    const packed = (part: object) => JSON.stringify({ format: "dextr-pack-1", items: [{ ...item, ...part }] });
    await write("x1", "{ no json");
    await expect(readPack(folder, "x1")).rejects.toThrow("The pack x1 is broken");
    await write("x2", packed({}), 7);
    await expect(readPack(folder, "x2")).rejects.toThrow("key lies beyond the end of x2.bin");
    await write("x3", packed({ m: [[5, 0, 10, 10, 5, 5]] }), 10);
    await expect(readPack(folder, "x3")).rejects.toThrow("A mask of key lies outside");
    await write("x4", packed({ w: "10" }), 10);
    await expect(readPack(folder, "x4")).rejects.toThrow("x4.json");
    await write("x5", packed({}), 10);
    const [garbage] = await readPack(folder, "x5");
    await expect(readSample(garbage!, 1)).rejects.toThrow("The pack x5 is broken: key");
    await expect(packsIn(join(folder, "nowhere"))).rejects.toThrow("There is no folder");
  });

  it("a pack is damaged if a mask's size differs from the declared size", async () => {
    const [first] = await objects();
    const [x, y, width, height, offset, length] = first!.item.m[0]!;
    const item = { ...first!.item, m: [[x, y, width, height - 1, offset, length]] as PackedObject["item"]["m"] };
    await expect(readSample({ ...first!, item }, 1)).rejects.toThrow("60 × 50 pixels in place of 60 × 49");
  });
});

describe("the evaluation", () => {
  it("prints mean IoU by source, by size and by padding, beside the baselines", async () => {
    const text = await evaluate(await objects(), whiteIsObject, OPTIONS);
    const rows = text.split("\n").map((line) => line.trim().split(/\s{2,}/));
    const cell = (row: string, column: number) => Number(rows.find(([name]) => name === row)?.[column]);
    expect(rows[0]).toEqual(["source", "objects", "exact noise 0.02", "box", "quad", "ellipse", "arcs"]);
    expect(cell("boards", 1)).toBe(2);
    expect(cell("chips", 1)).toBe(1);
    for (const source of ["boards", "chips", "all"]) expect(cell(source, 2)).toBeGreaterThan(0.97);
    // Rectangles: the box is the true shape, the quadrilateral of the side centres half of it.
    expect(cell("all", 4)).toBe(1);
    expect(cell("boards", 5)).toBeCloseTo(0.5, 1);
    expect(cell("boards", 6)).toBeCloseTo(Math.PI / 4, 1);
    expect(cell("all", 3)).toBeLessThan(cell("all", 2) + 0.001);
    for (const size of ["0 to 31 px", "32 to 63 px"]) expect(rows.some(([name]) => name === size)).toBe(true);
    expect(rows.some(([name, , ...paddings]) => name === "long side, by padding" && paddings.includes("1000 px"))).toBe(
      true,
    );
  });

  it("is repeatable, and picks a smaller sample evenly", async () => {
    const options = { ...OPTIONS, limit: 2, paddings: false };
    const text = await evaluate(await objects(), whiteIsObject, options);
    expect(text).toBe(await evaluate(await objects(), whiteIsObject, options));
    expect(text).toMatch(/^all +2 /m);
  });
});

describe("an empty mask", () => {
  const EMPTY = { source: "boards", width: 60, height: 60, box: [0, 0, 30, 30], isEmpty: true } as const;

  it("an empty mask is skipped, and named with its pack", async () => {
    await writePack(folder, "holed", [{ ...EMPTY, isEmpty: false }, EMPTY]);
    const text = await evaluate(await readPack(folder, "holed"), whiteIsObject, OPTIONS);
    expect(text).toMatch(/^all +1 /m);
    expect(text).toContain("Left out because of empty masks: 1 (boards-1 of holed).");
  });

  it("empty masks fail the evaluation if no other mask is left", async () => {
    await writePack(folder, "hollow", [EMPTY]);
    const evaluated = evaluate(await readPack(folder, "hollow"), whiteIsObject, OPTIONS);
    await expect(evaluated).rejects.toThrow("There is no object to evaluate. Left out because of empty masks: 1");
  });
});

describe("the packs of a folder", () => {
  it("packs are found by their prefix; an incomplete one is reported, and a folder without a complete one is refused", async () => {
    const other = await mkdtemp(join(folder, "packs-"));
    const put = (...files: string[]) => Promise.all(files.map((file) => writeFile(join(other, file), "")));
    await put("train-a.json", "train-a.bin", "train-b.json");
    expect(await packsIn(other)).toEqual({ names: ["train-a"], alone: ["train-b"] });
    await put("test-a.json");
    await expect(packsIn(other)).rejects.toThrow("There is no test-a.bin beside test-a.json in");
    await put("test-a.bin");
    expect(await packsIn(other)).toEqual({ names: ["test-a"], alone: [] });
    expect((await packsIn(other, "train")).names).toEqual(["train-a"]);
    await expect(packsIn(other, "val")).rejects.toThrow('There is no pack "val…"');
  });
});

describe("the command line options", () => {
  const ask = (...options: string[]) => readOptions(["--data", "d", ...options]);

  it("options have defaults", () => {
    expect(readOptions([])).toBeNull();
    expect(ask()).toMatchObject({ size: null, padding: 50, noise: 0.02, scale: 1, limit: Number.POSITIVE_INFINITY });
    expect(ask("--source", "a,b", "--limit", "7", "--size", "64")).toMatchObject({
      sources: ["a", "b"],
      limit: 7,
      size: 64,
    });
  });

  it.each([
    ["--scale", "0", "--scale needs a number above 0."],
    ["--limit", "0", "--limit needs a whole number of 1 or more."],
    ["--size", "100", "--size needs a multiple of 32, 1024 at most."],
    ["--padding", "", "--padding needs a number of image pixels."],
    ["--nope", "1", "Unknown option '--nope'"],
  ])("the option %s %s is refused", (name, value, why) => {
    expect(() => ask(`${name}=${value}`)).toThrow(why);
  });
});

describe("npm run model:evaluate", () => {
  const run = (...options: string[]) =>
    spawnSync(process.execPath, ["--import", "tsx", "model/evaluate/main.ts", ...options], {
      cwd: ROOT,
      encoding: "utf8",
    });

  it("prints its options", () => {
    expect(run().stdout).toContain("--data DIR");
  });

  it.runIf(existsSync(MODEL))("evaluates the shipped network", () => {
    const { stdout, status } = run("--data", folder, "--split", "test-", "--size", "64");
    expect(status).toBe(0);
    expect(stdout).toMatch(/^all +3 +0\.\d{4}/m);
  });

  it("fails with one sentence if there is nothing to evaluate", () => {
    const nowhere = run("--data", join(folder, "nowhere"), "--model", join(folder, "no.onnx"));
    expect(nowhere.status).toBe(1);
    expect(nowhere.stderr).toContain("There is no file");
    expect(nowhere.stderr).not.toContain("    at ");
  });

  it("fails with one sentence if no object matches the sources, if there is no object, or if an option is unknown", async () => {
    const model = join(folder, "bright.onnx");
    await writeFile(model, brightness());
    await writePack(folder, "bare", []);
    for (const [options, why] of [
      [["--split", "test-", "--source", "nope"], "There are no objects of these sources; there are: boards, chips.\n"],
      [["--split", "bare"], "There are no objects in bare.\n"],
      [["--nope"], "Unknown option '--nope'"],
    ] as const) {
      const { status, stdout, stderr } = run("--data", folder, "--model", model, ...options);
      expect([status, stdout]).toEqual([1, ""]);
      expect(stderr).toContain(why);
      expect(stderr).not.toContain("    at ");
    }
  });
});
