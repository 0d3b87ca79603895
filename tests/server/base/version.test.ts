import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findVersion } from "../../../server/base/version";
import { temporaryFolder } from "../../support/folders";

describe("the version", () => {
  const root = temporaryFolder();
  const git = (cwd: string, ...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example", ...args], { cwd, stdio: "ignore" });
  const commit = (cwd: string) => git(cwd, "commit", "--allow-empty", "-m", "x");

  test("the version is the newest tag of the clone, else the version in package.json, else unknown", () => {
    const clone = join(root, "clone");
    mkdirSync(clone);
    expect(findVersion(clone)).toEqual({ tag: "unknown", number: "unknown" });
    writeFileSync(join(clone, "package.json"), "{ broken");
    expect(findVersion(clone).tag).toBe("unknown");
    writeFileSync(join(clone, "package.json"), '{"version":"1.2.3"}');
    expect(findVersion(clone)).toEqual({ tag: "v1.2.3", number: "1.2.3" });
    git(clone, "init");
    commit(clone);
    expect(findVersion(clone).tag).toBe("v1.2.3");
    git(clone, "tag", "v1.3.0");
    commit(clone);
    git(clone, "tag", "v1.10.0");
    commit(clone);
    expect(findVersion(clone)).toEqual({ tag: "v1.10.0", number: "1.10.0" });
  });

  test("the version is not taken from a repository around the installation", () => {
    const outer = join(root, "outer");
    const inner = join(outer, "limn");
    mkdirSync(inner, { recursive: true });
    git(outer, "init");
    commit(outer);
    git(outer, "tag", "v9.0.0");
    writeFileSync(join(inner, "package.json"), '{"version":"1.2.3"}');
    expect(findVersion(inner).tag).toBe("v1.2.3");
  });
});
