import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Command, GROUPS, showKeys } from "../../web/annotator/keyboard/shortcuts";
import { TestEditor } from "../web/annotator/testEditor";

const GUIDE = new URL("../../docs/guide/README.md", import.meta.url);
const HEADING = "## All commands";

/** Returns the guide's list of commands, made from the list that keyboard, palette and help use. */
function commandTables(list: readonly Command[]): string {
  const groups = GROUPS.map((group) => {
    const rows = list.filter((command) => command.group === group).map(rowOf);
    return [`| ${group} | keys |`, "|---|---|", ...withoutNumbers(rows)].join("\n");
  });
  return `${groups.join("\n\n")}\n`;
}

const rowOf = ({ name, keys }: Command) =>
  `| ${name} | ${keys.map((set) => `\`${showKeys(set, false)}\``.replace("|", "\\|")).join(", ")} |`;

/** Joins the rows of commands that differ only in a number. */
function withoutNumbers(rows: readonly string[]): string[] {
  const joined = rows.map((row) => row.replace(/ \d+ \| `\d` \|$/, " 1 to 10 | `1` to `9`, `0` |"));
  return joined.filter((row, index) => row !== joined[index - 1]);
}

test("the guide lists every command with its keys; UPDATE_GUIDE=1 writes the list", () => {
  const guide = readFileSync(GUIDE, "utf8");
  const start = guide.indexOf(HEADING);
  const end = guide.indexOf("\n## ", start + 1);
  const section = guide.slice(start, end);
  const tables = commandTables(new TestEditor().editor.list);
  const first = section.indexOf("| General");
  if (process.env.UPDATE_GUIDE) {
    writeFileSync(GUIDE, guide.slice(0, start) + section.slice(0, first) + tables + guide.slice(end));
    return;
  }
  expect(section.slice(first)).toBe(tables);
});
