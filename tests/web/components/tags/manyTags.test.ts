import { expect, test } from "vitest";
import { manyTags, SHOWN_AT_MOST } from "../../../../web/components/tags/manyTags";

const tags = (count: number) => Array.from({ length: count }, (_, n) => ({ value: `${n}`, label: `tag ${n}` }));

test("a field with many tags says how many it has, and a field with a few says nothing", () => {
  expect(manyTags(tags(29), "")).toEqual({});
  expect(manyTags(tags(30), "")).toEqual({ description: "30 in the list, which can be scrolled." });
  expect(manyTags(tags(SHOWN_AT_MOST), "1")).toMatchObject({ description: expect.stringMatching(/^200 in/) });
});

test("a field with very many tags shows those with the typed text, and says how many it leaves out", () => {
  const { description } = manyTags(tags(250), "24");
  expect(description).toBe("13 of 250 are shown. Type to find the others.");
});
