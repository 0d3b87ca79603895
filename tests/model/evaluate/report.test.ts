import { beforeAll, describe, expect, it } from "vitest";
import type { DextrSession } from "../../../model/dextr/base/session";
import { type PackedObject, readPack } from "../../../model/evaluate/pack";
import { report } from "../../../model/evaluate/report";
import { whiteIsObject } from "../../support/dextr";
import { temporaryFolder } from "../../support/folders";
import { writePack } from "../../support/packs";

const OPTIONS = { size: 64, padding: 50, noise: 0.02, scale: 1, limit: 99, guide: true, corrections: true };

let objects: PackedObject[];

beforeAll(async () => {
  const folder = await temporaryFolder();
  await writePack(folder, "test-a", [
    { source: "boards", width: 120, height: 90, box: [20, 10, 80, 60] },
    { source: "boards", width: 60, height: 60, box: [0, 0, 30, 30] },
    { source: "rods", width: 90, height: 64, box: [10, 30, 80, 36] },
    { source: "chips", width: 64, height: 64, box: [30, 30, 50, 50] },
  ]);
  objects = await readPack(folder, "test-a");
});

const rowsOf = (text: string) => text.split("\n").map((each) => each.trim().split(/\s{2,}/));

describe("the report", () => {
  it("is one table, with intervals, of all objects, the thinnest, each size and each source", async () => {
    const rows = rowsOf(await report(objects, whiteIsObject, OPTIONS));
    expect(rows[0]).toEqual([
      "mean (95 % interval)",
      "objects",
      ...["exact", "noise 0.02", "box", "border error", "1 corr.", "2 corr.", "5 corr.", "NoC@85", "NoC@90", "obeyed"],
    ]);
    expect(rows.map(([name, count]) => [name, count])).toEqual([
      ["mean (95 % interval)", "objects"],
      ["all", "4"],
      ["thinnest quarter", "1"],
      ["0 to 31 px", "2"],
      ["32 to 63 px", "1"],
      ["64 to 127 px", "1"],
      ["boards", "2"],
      ["chips", "1"],
      ["rods", "1"],
    ]);
    for (const cell of rows[1]!.slice(2)) expect(cell).toMatch(/^\d\.\d{4} \(\d\.\d{3}-\d\.\d{3}\)$/);
    const thin = rows.find(([name]) => name === "thinnest quarter")!;
    expect(thin.slice(2)).toEqual(rows.find(([name]) => name === "rods")!.slice(2));
  });

  it("is repeatable, and needs three runs for each object without corrections", async () => {
    const options = { ...OPTIONS, corrections: false, limit: 2 };
    let runs = 0;
    const counted: DextrSession = {
      run: (input) => {
        runs++;
        return whiteIsObject.run(input);
      },
    };
    const text = await report(objects, counted, options);
    expect(runs).toBe(6);
    expect(await report(objects, counted, options)).toBe(text);
    expect(rowsOf(text)[0]).toHaveLength(6);
  });
});
