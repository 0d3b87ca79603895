import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "./root";

interface Version {
  /** The latest git tag of the checkout, or `v` and the version in package.json, or "unknown". */
  tag: string;
  /** The tag without a leading `v`. */
  number: string;
}

/** Returns the version of this installation, determined once. */
export function version(): Version {
  known ??= findVersion(ROOT);
  return known;
}
let known: Version | undefined;

/** Determines the version of the installation in `folder`. */
export function findVersion(folder: string): Version {
  const tag = newestTag(folder) ?? packageTag(folder) ?? "unknown";
  return { tag, number: tag.replace(/^v(?=\d)/, "") };
}

/**
 * Returns the latest tag if the folder itself is a git checkout. Ignores a repository that merely contains the folder,
 * and one named by GIT_DIR.
 */
function newestTag(folder: string): string | undefined {
  const { PATH, HOME } = process.env;
  try {
    const tag = execFileSync("git", ["describe", "--tags", "--abbrev=0"], {
      cwd: folder,
      env: { PATH, HOME, GIT_CEILING_DIRECTORIES: dirname(folder) },
      stdio: ["ignore", "pipe", "ignore"],
      encoding: "utf8",
      timeout: 2_000,
    });
    return tag.trim() || undefined;
  } catch {
    return undefined;
  }
}

function packageTag(folder: string): string | undefined {
  try {
    const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return typeof version === "string" ? `v${version}` : undefined;
  } catch {
    return undefined;
  }
}
