import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import sharp from "sharp";

/** Folder of the guide. */
const GUIDE = "docs/guide";
const SIZES = join(GUIDE, "sizes");
const THEMES = ["light", "dark"] as const;
/** Widths and heights in pixels. */
const SCREENS = [
  [390, 844],
  [768, 1024],
  [1440, 900],
  [1920, 1080],
] as const;
/** Size of the page while it is used, and of the pictures that the guide shows. */
export const VIEW = { width: 1280, height: 760 };

/**
 * Takes the pictures of the guide, in few colours or of low quality, because these files are in the repository: of
 * every page at all sizes in both themes, and one more of the pages that the guide's text shows.
 */
export class Camera {
  /** Names of the pages, in the order of their pictures. */
  private readonly taken: string[] = [];
  private readonly guide = readFileSync(join(GUIDE, "README.md"), "utf8");

  /** `only`: names of the pictures to take; all if empty. */
  constructor(private readonly only: readonly string[]) {
    if (only.length === 0) rmSync(SIZES, { recursive: true, force: true });
    mkdirSync(SIZES, { recursive: true });
  }

  async take(page: Page, name: string): Promise<void> {
    this.taken.push(name);
    if (this.only.length > 0 && !this.only.includes(name)) return;
    // In the corner of the header, where the pointer rests over nothing that reacts to it.
    await page.mouse.move(0, 0);
    await page.waitForTimeout(1200);
    if (this.guide.includes(`(${name}.png)`)) {
      const image = sharp(await page.screenshot());
      await image.png({ palette: true, colours: 128, effort: 10 }).toFile(join(GUIDE, `${name}.png`));
    }
    for (const [width, height] of SCREENS) {
      await page.setViewportSize({ width, height });
      for (const theme of THEMES) {
        await page.emulateMedia({ colorScheme: theme });
        await page.waitForTimeout(700);
        const shot = sharp(await page.screenshot());
        await shot
          .webp({ quality: 60, effort: 6, smartSubsample: true })
          .toFile(join(SIZES, fileOf(name, width, theme)));
      }
    }
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize(VIEW);
    console.log(name);
  }

  /** Writes a page with links to the pictures at all sizes. */
  writeList(): void {
    const cell = (name: string, width: number) =>
      THEMES.map((theme) => `[${theme}](${fileOf(name, width, theme)})`).join(" ");
    const rows = this.taken.map((name) => `| ${name} | ${SCREENS.map(([width]) => cell(name, width)).join(" | ")} |`);
    const lines = [
      "# Every page at four widths",
      "",
      "Made by `npm run docs:pictures`.",
      "",
      `| page | ${SCREENS.map(([width]) => `${width} px`).join(" | ")} |`,
      `|---|${SCREENS.map(() => "---|").join("")}`,
      ...rows,
    ];
    writeFileSync(join(SIZES, "README.md"), `${lines.join("\n")}\n`);
  }
}

function fileOf(name: string, width: number, theme: string): string {
  return `${name}-${width}-${theme}.webp`;
}
