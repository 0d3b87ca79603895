import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { anchorOf, readBlocks, readInline } from "../../../../web/pages/help/markdown";

it("reads headings, paragraphs, pictures, tables, lists and code, also without blank lines between", () => {
  const text = [
    "# Title",
    "straight after,",
    "in two lines",
    "## Next",
    "",
    "![A page](images/a.png)",
    "",
    "| key | what |",
    "|---|---|",
    "| `B` | brush |",
    "| E | eraser | ",
    "",
    "- one",
    "  and more",
    "- two",
    "",
    "1. first",
    "2. second",
    "",
    "    npm start",
    "",
    "```sh",
    "# no heading",
    "",
    "curl",
    "```",
    "end",
  ].join("\r\n");
  expect(readBlocks(text)).toEqual([
    { kind: "heading", level: 1, text: "Title" },
    { kind: "paragraph", text: "straight after, in two lines" },
    { kind: "heading", level: 2, text: "Next" },
    { kind: "picture", alt: "A page", source: "images/a.png" },
    {
      kind: "table",
      head: ["key", "what"],
      rows: [
        ["`B`", "brush"],
        ["E", "eraser"],
      ],
    },
    { kind: "list", ordered: false, items: ["one and more", "two"] },
    { kind: "list", ordered: true, items: ["first", "second"] },
    { kind: "code", text: "npm start" },
    { kind: "code", text: "# no heading\n\ncurl" },
    { kind: "paragraph", text: "end" },
  ]);
});

it("reads strong text, code and links in a line, and leaves the rest as it is", () => {
  expect(readInline("Press **Scan** or `[`, see [the site](https://a.example/x), 2 * 3 * 4 <b>")).toEqual([
    { kind: "text", text: "Press " },
    { kind: "strong", text: "Scan" },
    { kind: "text", text: " or " },
    { kind: "code", text: "[" },
    { kind: "text", text: ", see " },
    { kind: "link", text: "the site", target: "https://a.example/x" },
    { kind: "text", text: ", 2 * 3 * 4 <b>" },
  ]);
});

it("reads the guide whole: no word of it is lost", () => {
  const guide = readFileSync(new URL("../../../../docs/guide.md", import.meta.url), "utf8");
  const words = (text: string) => text.match(/[\p{L}\p{N}]{2,}/gu) ?? [];
  const shown = JSON.stringify(readBlocks(guide).map(({ kind: _, ...block }) => Object.values(block)));
  expect(words(shown).length).toBe(words(guide).length);
  expect(readBlocks("").length + readBlocks("```\nopen").length).toBe(1);
});

it("names chapters", () => {
  expect(anchorOf("Where your work is")).toBe("where-your-work-is");
  expect(anchorOf("  A & B? ")).toBe("a-b");
});
