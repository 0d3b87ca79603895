// Checks that commit subjects have at most 72 characters. Only checks commits made after this file was added, without
// branches that began before.

import { spawnSync } from "node:child_process";
import { dirname } from "node:path";

const MAX_LENGTH = 72;
const THIS_FILE = "scripts/commitSubjects.mjs";

/**
 * Returns the number of commits checked in the repository in `folder`, and those whose subject is too long. Null
 * without git, or if `folder` is not the root of a clone. In a shallow clone, all commits are checked.
 */
export function longSubjects(folder) {
  const added = git(folder, ["log", "--diff-filter=A", "--format=%H", "--", THIS_FILE]);
  if (added === null) return null;
  const [newest] = lines(added);
  if (!newest) return { checked: 0, long: [] };
  const log = git(folder, ["log", "--ancestry-path", "--no-merges", "--format=%h %s", `${newest}..HEAD`]);
  if (log === null) return null;
  const commits = lines(log).map((line) => ({
    hash: line.split(" ", 1)[0],
    subject: line.slice(line.indexOf(" ") + 1),
  }));
  return { checked: commits.length, long: commits.filter(({ subject }) => [...subject].length > MAX_LENGTH) };
}

/** Returns git's output, or null if git is missing or fails. Ignores repositories of parent folders and in GIT_DIR. */
function git(folder, args) {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, GIT_CEILING_DIRECTORIES: dirname(folder) };
  const { status, stdout } = spawnSync("git", args, { cwd: folder, env, encoding: "utf8", maxBuffer: 1 << 26 });
  return status === 0 ? stdout : null;
}

const lines = (text) => text.split("\n").filter((line) => line !== "");
