import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../../scripts/languages/catalogue";
import { webSources } from "../../../scripts/languages/collect";
import { outsideTexts } from "./outsideTexts";
import { UNCONVERTED_ANNOTATOR } from "./unconvertedAnnotator";
import { UNCONVERTED_PAGES } from "./unconvertedPages";

/** Sources that hold names and data which look like texts; each with the reason. */
const NO_TEXTS: Record<string, string> = {
  "web/annotator/keyboard/lookCommands.ts": "Ids of commands.",
  "web/languages/language.ts": "Each language is called by its own name.",
  "web/pages/shell/useNoStrayDrops.ts": "The type that browsers give to dropped files.",
};

const texts = new Map(webSources().map((file) => [file, outsideTexts(file, readFileSync(join(root, file), "utf8"))]));
const unconverted = new Set([...UNCONVERTED_ANNOTATOR, ...UNCONVERTED_PAGES]);

it("finds no text outside the catalogues", () => {
  const checked = [...texts].filter(([file]) => !unconverted.has(file) && !(file in NO_TEXTS));
  const found = checked.flatMap(([file, list]) => list.map(({ line, text }) => `${file}:${line} ${text}`));
  expect(found).toEqual([]);
});

it("lists as unconverted only files that still have texts", () => {
  expect([...unconverted].filter((file) => !texts.get(file)?.length)).toEqual([]);
});

it("finds texts between tags, in attributes, properties and toasts, and none in macros, codes and types", () => {
  const code = `
    import { t } from "@lingui/core/macro";
    type Kind = "First kind";
    const key = event.key === "Enter";
    const command = { label: "undo", id: "Undo it" };
    showSuccess("Image deleted", t\`Done\`);
    throw new Error("Only for programmers");
    const element = (
      <Button title="save" className="Large Button" aria-label={isOn ? "on" : t\`off\`}>
        Press me {count} {isMany ? "images" : t\`image\`}
        <Trans>Shown <b>by Lingui</b></Trans>
        <Code>Some code</Code>
      </Button>
    );`;
  expect(outsideTexts("page.tsx", code).map(({ text }) => text)).toEqual([
    "undo",
    "Image deleted",
    "save",
    "on",
    "Press me",
    "images",
  ]);
});
