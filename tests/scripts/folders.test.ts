import { describe, expect, it } from "vitest";
import { crowdedFolders, folderCycles } from "../../scripts/folders.mjs";

describe("folderCycles", () => {
  it("finds folders that import each other through other files", () => {
    const files = [
      { file: "a/one.ts", imports: ["b/one.ts"] },
      { file: "b/one.ts", imports: [] },
      { file: "b/two.ts", imports: ["c/one.ts"] },
      { file: "c/one.ts", imports: ["a/two.ts"] },
      { file: "a/two.ts", imports: [] },
      { file: "d/one.ts", imports: ["a/one.ts"] },
    ];
    expect(folderCycles(files)).toEqual([["a", "b", "c"]]);
  });

  it("finds a folder and a subfolder that import each other", () => {
    const files = [
      { file: "a/index.ts", imports: ["a/tool/tool.ts"] },
      { file: "a/tool/tool.ts", imports: ["a/common.ts"] },
      { file: "a/common.ts", imports: [] },
    ];
    expect(folderCycles(files)).toEqual([["a", "a/tool"]]);
  });

  it("names each of two separate cycles once", () => {
    const files = [
      { file: "a/x.ts", imports: ["b/x.ts"] },
      { file: "b/x.ts", imports: ["a/y.ts", "c/x.ts"] },
      { file: "c/x.ts", imports: ["d/x.ts"] },
      { file: "d/x.ts", imports: ["c/y.ts"] },
    ];
    expect(folderCycles(files)).toEqual([
      ["a", "b"],
      ["c", "d"],
    ]);
  });

  it("finds none if imports only lead down or stay within one folder", () => {
    const files = [
      { file: "a/x.ts", imports: ["a/y.ts", "b/x.ts"] },
      { file: "a/y.ts", imports: ["c/x.ts"] },
      { file: "b/x.ts", imports: ["c/x.ts"] },
      { file: "c/x.ts", imports: [] },
    ];
    expect(folderCycles(files)).toEqual([]);
  });
});

describe("crowdedFolders", () => {
  const folder = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name}/${at}.ts`);

  it("names folders with more than fifteen direct files", () => {
    expect(crowdedFolders([...folder("a", 16), ...folder("b", 15), ...folder("b/c", 3)])).toEqual([
      { folder: "a", count: 16 },
    ]);
  });

  it("allows the list of migrations to grow", () => {
    expect(crowdedFolders(folder("server/db/migrations", 30))).toEqual([]);
  });
});
