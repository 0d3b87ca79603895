import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeEach, expect, test } from "vitest";
import { longSubjects } from "../../scripts/commitSubjects.mjs";

const LONG = `Say more than ${"fits ".repeat(20)}`.trim();
const folders: string[] = [];
let folder: string;

beforeEach(() => {
  folder = newFolder();
  git("init", "--quiet", "--initial-branch=main");
  commit(`${LONG} before the check`);
});
afterAll(() => {
  for (const each of folders) rmSync(each, { recursive: true, force: true });
});

test("checks nothing in a history from before the check", () => {
  expect(longSubjects(folder)).toEqual({ checked: 0, long: [] });
});

test("accepts subjects of up to 72 characters, refuses one more, and skips older history", () => {
  introduce();
  commit("x".repeat(72));
  commit("é".repeat(72));
  expect(longSubjects(folder)).toEqual({ checked: 2, long: [] });
  commit("y".repeat(73));
  expect(longSubjects(folder)).toEqual({ checked: 3, long: [{ hash: expect.any(String), subject: "y".repeat(73) }] });
});

test("accepts long bodies", () => {
  introduce();
  git("commit", "--quiet", "--allow-empty", "-m", "Keep it short", "-m", "z".repeat(200));
  expect(longSubjects(folder)?.long).toEqual([]);
});

test("accepts the merge of a branch that began before the check", () => {
  git("branch", "older");
  introduce();
  git("checkout", "--quiet", "older");
  commit(`${LONG} on the older branch`);
  git("checkout", "--quiet", "main");
  git("merge", "--quiet", "--no-ff", "-m", LONG, "older");
  commit("Go on");
  expect(longSubjects(folder)).toEqual({ checked: 1, long: [] });
});

test("checks a shallow clone as far back as it goes", () => {
  introduce();
  for (const subject of [`${LONG} too far back`, "One", `${LONG} found`, "Two"]) commit(subject);
  const clone = newFolder();
  execFileSync("git", ["clone", "--quiet", "--depth=3", pathToFileURL(folder).href, clone]);
  expect(longSubjects(clone)).toEqual({ checked: 2, long: [{ hash: expect.any(String), subject: `${LONG} found` }] });
});

test("skips a folder without its own history, even inside another repository", () => {
  expect(longSubjects(newFolder())).toBeNull();
  introduce();
  const inner = join(folder, "inner");
  mkdirSync(inner);
  expect(longSubjects(inner)).toBeNull();
});

test("skips a machine without git", () => {
  introduce();
  const { PATH } = process.env;
  process.env.PATH = newFolder();
  try {
    expect(longSubjects(folder)).toBeNull();
  } finally {
    process.env.PATH = PATH;
  }
});

function newFolder(): string {
  const made = mkdtempSync(join(tmpdir(), "limn-subjects-"));
  folders.push(made);
  return made;
}

function git(...args: string[]): void {
  const author = ["-c", "user.name=ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false"];
  execFileSync("git", [...author, ...args], { cwd: folder });
}

function commit(subject: string): void {
  git("commit", "--quiet", "--allow-empty", "-m", subject);
}

/** Commits the file whose first commit marks the start of the check. */
function introduce(): void {
  mkdirSync(join(folder, "scripts"));
  writeFileSync(join(folder, "scripts/commitSubjects.mjs"), "");
  git("add", ".");
  commit("Check the length of commit subjects");
}
