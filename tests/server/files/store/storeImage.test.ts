import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { afterAll, expect, it } from "vitest";
import { hashFile } from "../../../../server/files/paths/hashFile";
import { storeImage } from "../../../../server/files/store/storeImage";
import { temporaryFolder } from "../../../support/folders";

const root = temporaryFolder();
/** On another file system than `root`, on most Linux systems. */
const elsewhere = mkdtempSync(join(["/dev/shm", "node_modules/.cache"].find(isElsewhere) ?? tmpdir(), "limn-test-"));
afterAll(() => rmSync(elsewhere, { recursive: true, force: true }));

function isElsewhere(path: string): boolean {
  return existsSync(path) && statSync(path).dev !== statSync(root).dev;
}

async function store(from: string, path: string, bytes: string) {
  const file = join(from, "upload");
  writeFileSync(file, bytes);
  return storeImage({ root, folder: "set", path, file, hash: await hashFile(file) });
}

it("an upload appears in the dataset's folder only under the image's name, so that a kill leaves nothing else", async () => {
  mkdirSync(join(root, "set"));
  const seen = new Set<string>();
  let isDone = false;
  const watching = (async () => {
    while (!isDone) {
      for (const name of readdirSync(join(root, "set"))) seen.add(name);
      await turn();
    }
  })();
  for (let i = 0; i < 100; i++) expect(await store(root, `${i}.jpg`, `bytes ${i}`)).toBe("stored");
  isDone = true;
  await watching;
  expect([...seen].filter((name) => !/^\d+\.jpg$/.test(name))).toEqual([]);
  expect(seen.size).toBeGreaterThan(50);
  expect(readFileSync(join(root, "set", "7.jpg"), "utf8")).toBe("bytes 7");
  expect(existsSync(join(root, "upload"))).toBe(false);
});

it.each([
  ["the same disk", root],
  ["another disk", elsewhere],
])("keeps the existing file when an upload comes from %s", async (place, from) => {
  const path = `${place}/a.jpg`;
  expect(await store(from, path, "one")).toBe("stored");
  expect(await store(from, path, "one")).toBe("same");
  expect(await store(from, path, "two")).toBe("different");
  expect(readdirSync(join(root, "set", place))).toEqual(["a.jpg"]);
  expect(readFileSync(join(root, "set", path), "utf8")).toBe("one");
});
