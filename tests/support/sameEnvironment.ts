import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Short files that take the longest. Vitest starts with the longest ones only when it has run them before, else with
 * the largest. If one of these came last, the other workers would have nothing left to do.
 */
const LONG = /^(killed\w*|deadCommands|crashAt|commands|migrate|rights|everyCall|sweep|main|backup|process)\.test\.ts$/;

/**
 * Runs files with a DOM after all others: a worker keeps its modules for the next file only if that file has the same
 * environment. Runs the longest files first.
 */
export class SameEnvironment extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const long = new Set(sorted.filter(({ moduleId }) => LONG.test(basename(moduleId))));
    const withDom = new Set(sorted.filter(({ moduleId }) => needsDom(moduleId)));
    return [...long, ...sorted.filter((file) => !long.has(file) && !withDom.has(file)), ...withDom];
  }
}

function needsDom(path: string): boolean {
  return readFileSync(path, "utf8").startsWith("// @vitest-environment jsdom");
}
