import { readFileSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Runs files with a DOM after all others. A worker keeps its modules for the next file only if that file has the same
 * environment.
 */
export class SameEnvironment extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const withDom = new Set(sorted.filter(({ moduleId }) => needsDom(moduleId)));
    return [...sorted.filter((file) => !withDom.has(file)), ...withDom];
  }
}

function needsDom(path: string): boolean {
  return readFileSync(path, "utf8").startsWith("// @vitest-environment jsdom");
}
