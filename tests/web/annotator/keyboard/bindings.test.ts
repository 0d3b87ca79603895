import { describe, expect, test } from "vitest";
import { clashes, readChanged, refusal, removeKeys, replaceKeys } from "../../../../web/annotator/keyboard/bindings";
import { sameKeys } from "../../../../web/annotator/keyboard/keyReading";
import { type Command, sharesMode } from "../../../../web/annotator/keyboard/shortcuts";
import { Settings } from "../../../../web/annotator/preferences/settings";
import { TestEditor } from "../testEditor";

describe("stored key bindings", () => {
  test("bindings are read command by command, and invalid ones are skipped", () => {
    expect(
      readChanged({
        good: [["g"], ["control", "shift", "g"]],
        none: [],
        number: 5,
        text: "x",
        flat: ["x"],
        empty: [[]],
        huge: [["x".repeat(100)]],
        many: Array.from({ length: 9 }, (_, i) => [`${i}`]),
        browser: [["control", "w"]],
        modifiers: [["control", "shift"]],
        two: [["a", "b"]],
      }),
    ).toEqual({ good: [["g"], ["control", "shift", "g"]], none: [] });
    for (const rubbish of [null, 3, "x", [["g"]], undefined]) expect(readChanged(rubbish)).toEqual({});
  });

  test("bindings cannot change object prototypes", () => {
    const changed = readChanged(JSON.parse('{"__proto__": [["g"]], "constructor": [["c"]]}'));
    expect(Object.keys(changed)).toEqual(["constructor"]);
  });

  test("an invalid setting does not affect the others", () => {
    const settings = new Settings({ settings: { simplify: "much", shortcuts: { save: [["x"]], undo: 7 } } }, () => {});
    expect(settings.state).toEqual({ simplify: 1, listOrder: "oldest", shortcuts: { save: [["x"]] } });
  });

  test("two tabs, one of them opened before the other's changes, keep what each user changed", () => {
    const stored: Record<string, unknown> = { settings: { simplify: 2, shortcuts: { undo: [["u"]], redo: [["r"]] } } };
    // As the server stores preferences: key by key, the last write wins.
    const open = () => new Settings({ ...stored }, (changed) => Object.assign(stored, changed));
    const [earlier, later] = [open(), open()];
    later.changeShortcuts({ save: [["y"]], redo: null });
    later.change({ simplify: 3 });
    earlier.changeShortcuts({ paste: [["p"]] });
    earlier.change({ listOrder: "largest" });
    expect(open().state).toEqual({
      simplify: 3,
      listOrder: "largest",
      shortcuts: { undo: [["u"]], save: [["y"]], paste: [["p"]] },
    });
  });
});

test("keys reserved by the browser, or without effect, are refused with the reason", () => {
  expect(refusal(["control", "w"])).toContain("closes the tab");
  expect(refusal(["control", "t"])).toContain("opens a tab");
  expect(refusal(["control", "n"])).toContain("opens a window");
  expect(refusal(["control", "shift", "w"])).toContain("closes the window");
  expect(refusal(["control", "q"])).toContain("quits");
  expect(refusal(["shift", "p", "control"])).toContain("Firefox");
  expect(refusal(["escape"])).not.toBeNull();
  expect(refusal(["shift"])).not.toBeNull();
  expect(refusal(["g"])).toBeNull();
  expect(refusal(["control", "shift", "g"])).toBeNull();
});

test("keys reserved by macOS are refused only on a Mac", () => {
  expect(refusal(["control", "h"], true)).toContain("hides the browser");
  expect(refusal(["control", "h"], false)).toBeNull();
  expect(refusal(["shift"], true)).toContain("⌘");
  expect(readChanged({ save: [["control", "m"]] })).toEqual({ save: [["control", "m"]] });
});

test("a set of keys can replace another, be added, or be removed", () => {
  const sets = [["a"], ["b"]];
  expect(replaceKeys(sets, sets[0]!, ["c"])).toEqual([["c"], ["b"]]);
  expect(replaceKeys(sets, sets[0]!, ["b"])).toEqual([["b"]]);
  expect(replaceKeys(sets, null, ["c"])).toEqual([["a"], ["b"], ["c"]]);
  expect(replaceKeys(sets, null, ["a"])).toEqual([["b"], ["a"]]);
  expect(removeKeys(sets, ["a"])).toEqual([["b"]]);
});

test("commands clash if they have the same keys in the same mode", () => {
  const command = (id: string, group: Command["group"], key: string): Command => ({
    id,
    name: id,
    group,
    keys: [[key]],
    run: () => undefined,
  });
  const [save, tool, tick] = [command("save", "General", "x"), command("t", "Tools", "y"), command("l", "Labels", "y")];
  const list = [save, tool, tick];
  const found = (of: Command, key: string) => clashes(list, ({ keys }) => keys, of, [key]).map(({ id }) => id);
  expect(found(save, "y")).toEqual(["t", "l"]);
  expect(found(tool, "y")).toEqual([]);
  expect(found(tick, "x")).toEqual(["save"]);
});

test("no two commands have the same default keys, and no default keys are ones that a user could not choose", () => {
  const { list } = new TestEditor().editor;
  for (const command of list)
    for (const keys of command.keys) {
      if (!sameKeys(keys, ["escape"])) expect([command.id, refusal(keys)]).toEqual([command.id, null]);
      const same = list.filter((other) => sharesMode(other, command) && other.keys.some((set) => sameKeys(set, keys)));
      expect(same.map(({ id }) => id)).toEqual([command.id]);
    }
});
