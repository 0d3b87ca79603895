import { rmSync } from "node:fs";
import { afterAll } from "vitest";
import { newFolder } from "./runFolder";

/** Returns a new empty folder, which is removed after the tests of the calling file or describe block. */
export function temporaryFolder(): string {
  const folder = newFolder("test");
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
