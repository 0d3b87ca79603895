import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** Files and folders named in the guides exist. `NAME` in a path is a placeholder. */

const root = new URL("../../", import.meta.url).pathname;
const GUIDES = ["CONTRIBUTING.md", "docs/architecture.md", "docs/style.md", "docs/glossary.md"];
const PATH = /`((?:cli|docs|model|scripts|server|shared|tests|web|workers)\/[\w./-]*)`/g;

const pathsIn = (text: string) => [...text.matchAll(PATH)].map(([, path = ""]) => path);
const isPattern = (path: string) => path.includes("/NAME");

test.each(GUIDES)("%s only names paths that exist", (guide) => {
  const paths = pathsIn(readFileSync(join(root, guide), "utf8"));
  expect(paths.filter((path) => !isPattern(path) && !existsSync(join(root, path)))).toEqual([]);
});

test('the "where do I find" table names a file in each of its forty rows', () => {
  const [, table = ""] = readFileSync(join(root, "docs/architecture.md"), "utf8").split("## Where do I find…");
  const rows = table.split("\n").filter((line) => /^\| (?!topic \|)/.test(line));
  expect(rows.length).toBeGreaterThanOrEqual(40);
  for (const row of rows) expect(pathsIn(row), row).not.toEqual([]);
});
