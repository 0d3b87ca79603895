import { expect, test } from "vitest";
import { isLook } from "../../../../web/annotator/keyboard/lookCommands";
import { TestEditor } from "../testEditor";

test("each command that viewers may run exists, and those that change something are not among them", () => {
  const { list } = new TestEditor().editor;
  const look = list.filter(isLook).map(({ id }) => id);
  expect(look).toContain("zoom in");
  for (const id of ["delete", "paste", "undo", "done", "merge", "copy annotations", "label tick", "category 1"])
    expect([id, list.some((command) => command.id === id), look.includes(id)]).toEqual([id, true, false]);
});
