import { randomUUID } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "@playwright/test";

/**
 * Returns the path of an empty folder for files of the calling spec. The folder exists from its first hook until its
 * tests have ended. It is not created at once, because Playwright also loads each spec in a process that runs no tests.
 */
export function specFolder(): string {
  const folder = join(tmpdir(), `limn-spec-${randomUUID()}`);
  test.beforeAll(() => void mkdirSync(folder));
  test.afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
