import { expect, test } from "vitest";
import { moveTab, orderOf, TABS } from "../../../../web/pages/dataset/tabOrder";

test("a stored order is used, ignoring unknown, repeated or missing tabs", () => {
  expect(orderOf(undefined)).toEqual([...TABS]);
  expect(orderOf(["settings", "nonsense", 3, "images", "settings"])).toEqual([
    "settings",
    "images",
    "exports",
    "members",
    "statistics",
    "quality",
    "consensus",
  ]);
});

test("a tab moves by places, and not beyond the ends", () => {
  expect(moveTab(["images", "exports", "members"], "images", 1)).toEqual(["exports", "images", "members"]);
  expect(moveTab(["images", "exports", "members"], "images", -1)).toEqual(["images", "exports", "members"]);
  expect(moveTab(["images", "exports", "members"], "images", 9)).toEqual(["exports", "members", "images"]);
});
