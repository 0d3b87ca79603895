import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "./root";

interface Version {
  /** The newest git tag of what is checked out, else `v` and the version of package.json, else "unknown". */
  tag: string;
  /** The same without a leading `v`. */
  number: string;
}

/** Of this installation; found out once. */
export function version(): Version {
  known ??= findVersion(ROOT);
  return known;
}
let known: Version | undefined;

export function findVersion(folder: string): Version {
  const tag = newestTag(folder) ?? packageTag(folder) ?? "unknown";
  return { tag, number: tag.replace(/^v(?=\d)/, "") };
}

/** Of a clone in this very folder: a repository around it, or one that the environment names, is not ours. */
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
