// Subjects of commits have at most 72 characters. Looks at the commits made with this file in the tree: never at older
// history, nor at branches that began before it.

import { spawnSync } from "node:child_process";
import { dirname } from "node:path";

const LONGEST = 72;
const THIS_FILE = "scripts/commitSubjects.mjs";

/**
 * Returns how many commits of the repository in `folder` were looked at, and those whose subject is too long. Null
 * without git, or where `folder` is no clone of its own. A shallow clone is looked at as far back as it goes.
 */
export function longSubjects(folder) {
  const added = git(folder, ["log", "--diff-filter=A", "--format=%H", "--", THIS_FILE]);
  if (added === null) return null;
  const [newest] = lines(added);
  if (!newest) return { looked: 0, long: [] };
  const log = git(folder, ["log", "--ancestry-path", "--no-merges", "--format=%h %s", `${newest}..HEAD`]);
  if (log === null) return null;
  const commits = lines(log).map((line) => ({
    hash: line.split(" ", 1)[0],
    subject: line.slice(line.indexOf(" ") + 1),
  }));
  return { looked: commits.length, long: commits.filter(({ subject }) => [...subject].length > LONGEST) };
}

/** Null where git is missing or fails. A repository around the folder, or one that the environment names, is not ours. */
function git(folder, args) {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, GIT_CEILING_DIRECTORIES: dirname(folder) };
  const { status, stdout } = spawnSync("git", args, { cwd: folder, env, encoding: "utf8", maxBuffer: 1 << 26 });
  return status === 0 ? stdout : null;
}

const lines = (text) => text.split("\n").filter((line) => line !== "");
