import { expect, it } from "vitest";
import { readText } from "../../../../../server/features/imports/formats/readText";

const { signal } = new AbortController();
const object = (name: string, inner: string) => `<object><name>${name}</name>${inner}</object>`;
const box = "<bndbox><xmin>1</xmin><ymin>1</ymin><xmax>9</xmax><ymax>9</ymax></bndbox>";
const xml = (objects: string) => `<annotation><filename>a.jpg</filename>${objects}</annotation>`;

it("reads a long text like a short one, without blocking other work", async () => {
  const pair = object("cat", box) + object("dog", "");
  const short = await readText("voc", xml(pair), signal);
  const times = 2000;
  let turns = 0;
  const ticking = setInterval(() => turns++, 1);
  const long = await readText("voc", xml(pair.repeat(times)), signal);
  clearInterval(ticking);
  expect(short).toMatchObject({ filename: "a.jpg", objects: [{ name: "cat" }, { problem: expect.any(String) }] });
  if ("problem" in short || "problem" in long) throw new Error("not read");
  expect(long.objects).toEqual(Array.from({ length: times }, () => short.objects).flat());
  expect(turns).toBeGreaterThan(5);
});

it("reports invalid text in long files too", async () => {
  expect(await readText("voc", `<a>${"<b>".repeat(20_000)}`, signal)).toEqual({ problem: "is not valid XML" });
  expect(await readText("yaml", `names: [${"cat, ".repeat(10_000)}dog]`, signal)).toMatchObject({
    names: expect.arrayContaining(["dog"]),
  });
});

it.each([
  ["brackets", "[".repeat(7000)],
  ["braces", "{a: ".repeat(5000)],
  ["lists in one line", "- ".repeat(9000)],
  ["keys in one line", "? ".repeat(9000)],
  ["values in one line", "a: ".repeat(9000)],
  ["indentation", Array.from({ length: 190 }, (_, i) => `${" ".repeat(i)}a:\n`).join("")],
])("refuses YAML nested deeper than any list of class names: %s", async (_, text) => {
  expect(await readText("yaml", `names: ${text}`, signal)).toBeUndefined();
  expect(await readText("yaml", `names: [cat]\nmore:\n${text}`, signal)).toBeUndefined();
});

it("a caller that gives up stops waiting, and the next text is read", async () => {
  const giving = new AbortController();
  const reading = readText("voc", xml(object("cat", box).repeat(20_000)), giving.signal);
  giving.abort(new Error("enough"));
  await expect(reading).rejects.toThrow();
  expect(await readText("voc", xml(object("cat", box).repeat(300)), signal)).toHaveProperty("objects.length", 300);
});
