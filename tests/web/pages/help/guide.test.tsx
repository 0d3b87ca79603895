import { readFileSync } from "node:fs";
import { MantineProvider } from "@mantine/core";
import { lexer } from "marked";
import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router-dom";
import { expect, it } from "vitest";
import { anchorOf, chaptersOf } from "../../../../web/pages/help/chapters";
import { Guide } from "../../../../web/pages/help/Guide";

const guide = readFileSync(new URL("../../../../docs/guide/README.md", import.meta.url), "utf8");

function show(markdown: string): string {
  const shown = <Guide tokens={lexer(markdown)} imageUrl={(source) => `/shown/${source}`} />;
  return renderToStaticMarkup(
    <MemoryRouter>
      <MantineProvider>{shown}</MantineProvider>
    </MemoryRouter>,
  );
}

const words = (text: string) => text.match(/[\p{L}\p{N}]{2,}/gu) ?? [];

it("shows the whole guide: no word of it is lost, and every image exists", () => {
  const html = show(guide);
  const bare = html.replaceAll(/<style[^>]*>.*?<\/style>/gs, "").replaceAll(/<[^>]+>|&#?\w+;/g, " ");
  const text = guide.replaceAll(/!\[[^\]]*\]\([^)]*\)/g, "").replaceAll(/\]\([^)\s]+\)/g, "]");
  expect(words(bare)).toEqual(words(text));
  const named = [...guide.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(([, name]) => name);
  expect(named.length).toBeGreaterThan(1);
  for (const name of named) {
    expect(html).toContain(`src="/shown/${name}"`);
    expect(readFileSync(new URL(`../../../../docs/guide/${name}`, import.meta.url)).length).toBeGreaterThan(1000);
  }
});

it("shows lists, code and links, and raw HTML as text", () => {
  const html = show(
    "- one\n- two **strong**\n\n```sh\nnpm start\n```\n\nSee [it](https://a.example/x), [us](api.md), [here](#b-c) `a<b`.\n\n<b onclick=x>",
  );
  expect(html).toContain("<strong>strong</strong>");
  expect(html).toMatch(/<pre[^>]*>npm start<\/pre>/);
  expect(html).toContain('href="https://a.example/x"');
  expect(html).not.toContain("api.md");
  expect(html).toContain('href="/#b-c"');
  expect(html).toMatch(/a&lt;b<\/code>/);
  expect(html).toContain("&lt;b onclick=x&gt;");
});

it("returns the titles of the chapters", () => {
  expect(chaptersOf(lexer("# A\n## B & C?\n### D\n## E"))).toEqual(["B & C?", "E"]);
  expect(anchorOf("Where your work is")).toBe("where-your-work-is");
  expect(anchorOf("  A & B? ")).toBe("a-b");
});
