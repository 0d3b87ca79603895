// @vitest-environment jsdom
import { expect, it } from "vitest";
import { lastOpened } from "../../../../web/pages/offline/lastOpened";

const user = { id: 1, username: "ada", name: "", is_admin: false, anonymous: false, last_seen: null };
const session = { user, installation: "one", isRemembered: false } as Parameters<typeof lastOpened>[1];

it("shortcuts open the datasets if this user has opened nothing yet, or the stored address is not of that kind", () => {
  expect(lastOpened("dataset", session)).toBe("/datasets");
  localStorage.setItem("limn.last dataset limn / one 1 ada", JSON.stringify("/dataset/7"));
  expect(lastOpened("dataset", session)).toBe("/dataset/7");
  expect(lastOpened("dataset", { ...session, user: { ...session.user, username: "bob" } })).toBe("/datasets");
  localStorage.setItem("limn.last dataset limn / one 1 ada", JSON.stringify("//other.example/"));
  expect(lastOpened("dataset", session)).toBe("/datasets");
});
