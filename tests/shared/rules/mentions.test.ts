import { expect, test } from "vitest";
import { mentionsIn, splitMentions } from "../../../shared/rules/mentions";

test("finds usernames behind an @, whatever their case, but no addresses", () => {
  expect(mentionsIn("@Ada, (@bob_1) and @c.d: not me@example.org or @@x")).toEqual(["ada", "bob_1", "c.d"]);
  expect(mentionsIn("")).toEqual([]);
});

test("takes a full stop as the end of the sentence or of the name", () => {
  expect(mentionsIn("Ask @ada.")).toEqual(["ada.", "ada"]);
  expect(splitMentions("Ask @ada.", ["ada"])).toEqual([
    { text: "Ask " },
    { text: "@ada", mention: "ada" },
    { text: "." },
  ]);
  expect(splitMentions("Ask @ada.", ["ada."])).toEqual([{ text: "Ask " }, { text: "@ada.", mention: "ada." }]);
});

test("splits a text at known names only, without losing a character", () => {
  const text = "<b>@Bob</b>\n@eve and @bob 👍 @";
  const pieces = splitMentions(text, ["bob"]);
  expect(pieces.map((piece) => piece.text).join("")).toBe(text);
  expect(pieces.flatMap(({ mention }) => mention ?? [])).toEqual(["bob", "bob"]);
});
