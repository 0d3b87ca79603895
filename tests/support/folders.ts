import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** Returns a new empty folder, which is removed after the tests of the calling file or describe block. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "limn-test-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
