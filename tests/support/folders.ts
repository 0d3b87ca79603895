import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** A new empty folder, removed after the tests of the file or group that asked. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "limn-test-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
