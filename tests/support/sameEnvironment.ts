import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Runs files with a DOM after all others: a worker keeps its modules for the next file only if that file has the same
 * environment. Runs files that kill servers first: they are short but take the longest, and Vitest starts with the
 * longest files only when it has run them before. At the end, the other workers would have nothing left to do.
 */
export class SameEnvironment extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const killing = new Set(sorted.filter(({ moduleId }) => basename(moduleId).startsWith("killed")));
    const withDom = new Set(sorted.filter(({ moduleId }) => needsDom(moduleId)));
    return [...killing, ...sorted.filter((file) => !killing.has(file) && !withDom.has(file)), ...withDom];
  }
}

function needsDom(path: string): boolean {
  return readFileSync(path, "utf8").startsWith("// @vitest-environment jsdom");
}
