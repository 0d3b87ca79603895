import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** The tests named on the compatibility page exist, under these titles. */

const root = new URL("../../", import.meta.url).pathname;
const rows = readFileSync(join(root, "docs/compatibility.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| fact |"))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));

const tests = readdirSync(join(root, "tests"), { recursive: true, encoding: "utf8" })
  .filter((path) => /\.(test|spec)\.tsx?$/.test(path))
  .map((path) => readFileSync(join(root, "tests", path), "utf8"))
  .join("\n");

test("every fact states Limn's behaviour and names a test or a reason", () => {
  expect(rows.length).toBeGreaterThan(100);
  for (const cells of rows) {
    expect(cells, cells.join(" | ")).toHaveLength(5);
    for (const cell of cells.slice(1, 4)) expect(cell, cells.join(" | ")).not.toBe("");
  }
});

test("every named file and test exists", () => {
  for (const [, , , reason = ""] of rows) {
    for (const [, path = ""] of reason.matchAll(/`((?:tests|server|docs)\/[\w./-]+)`/g))
      expect(existsSync(join(root, path)), path).toBe(true);
    for (const [, name = ""] of reason.matchAll(/"([^"]{8,}?)(?: …)?"/g)) expect(tests.includes(name), name).toBe(true);
  }
});
