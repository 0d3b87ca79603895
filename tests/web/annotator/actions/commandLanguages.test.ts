import { afterAll, expect, test } from "vitest";
import { compiledMessages, readLanguage, TRANSLATED } from "../../../../scripts/languages/catalogue";
import { i18n } from "../../../../web/languages/i18n";
import { TestEditor } from "../testEditor";

afterAll(() => i18n.activate("en"));

test.each(TRANSLATED)("commands have names in %s, with the same ids, groups and keys as in English", (language) => {
  i18n.activate("en");
  const english = new TestEditor().editor.list;
  i18n.loadAndActivate({ locale: language, messages: compiledMessages(readLanguage(language)) });
  const { editor } = new TestEditor();
  const stable = ({ id, group, keys }: (typeof english)[number]) => ({ id, group, keys });
  expect(editor.list.map(stable)).toEqual(english.map(stable));
  const same = editor.list.filter(({ name }, index) => name === english[index]?.name);
  expect(same.map(({ id }) => id)).toEqual([]);
});

test("tools are chosen and remembered by their names, whatever the language", () => {
  i18n.loadAndActivate({ locale: "de", messages: compiledMessages(readLanguage("de")) });
  const { editor } = new TestEditor();
  const { tool } = editor.toolbox;
  expect([tool.name, tool.label]).toEqual(["Select", "Auswahl"]);
  editor.actions.toggleMode();
  editor.actions.toggleMode();
  expect(editor.toolbox.tool.name).toBe("Select");
});
