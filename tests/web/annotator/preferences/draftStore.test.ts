// @vitest-environment jsdom
import { beforeEach, expect, test } from "vitest";
import { draftStore } from "../../../../web/annotator/preferences/draftStore";

const ADA = { installation: "one", userId: 1, username: "ada" };
const draft = { text: "Hm", place: { x: 1, y: 2, annotation: null, box: null } };

beforeEach(() => localStorage.clear());

test("drafts are kept for their user, installation and image only", () => {
  draftStore(ADA, 7).set("a", draft);
  draftStore(ADA, 7).set("b", { text: "Ah" });
  draftStore(ADA, 8).set("a", { text: "Oh" });
  expect(Object.fromEntries(draftStore(ADA, 7).all())).toEqual({ a: draft, b: { text: "Ah" } });
  expect(draftStore({ ...ADA, userId: 2 }, 7).all().size).toBe(0);
  expect(draftStore({ ...ADA, installation: "two" }, 7).all().size).toBe(0);
  draftStore(ADA, 7).set("a", null);
  expect([...draftStore(ADA, 7).all().keys()]).toEqual(["b"]);
  expect(draftStore(ADA, 8).all().size).toBe(1);
});

test("only the fifty most recent drafts are kept, and unreadable ones are ignored", () => {
  for (let image = 1; image <= 51; image++) draftStore(ADA, image).set("a", draft);
  expect([1, 2].map((image) => draftStore(ADA, image).all().size)).toEqual([0, 1]);
  for (const text of ["{", "7", '[{"image":2,"key":"a","text":5}]']) {
    localStorage.setItem("limn.annotator/drafts/one/1", text);
    expect(draftStore(ADA, 2).all().size).toBe(0);
  }
});
