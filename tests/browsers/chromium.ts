import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium, type Page } from "@playwright/test";
import { type BrowserPage, isNetworkError, KEYS, type Place } from "./browserPage";

/** Playwright's names of keys. */
const NAMES: Record<string, string> = {
  [KEYS.enter]: "Enter",
  [KEYS.shift]: "Shift",
  [KEYS.control]: "Control",
  [KEYS.escape]: "Escape",
  [KEYS.right]: "ArrowRight",
  [KEYS.down]: "ArrowDown",
};
const nameOf = (key: string): string => NAMES[key] ?? key;

/**
 * A page in Chromium, in which all other browser tests run: if the walk fails in Chromium too, the cause is not the
 * browser.
 */
class ChromiumPage implements BrowserPage {
  private readonly found: string[] = [];

  constructor(private readonly page: Page) {
    page.on("pageerror", (error) => this.found.push(String(error.stack ?? error)));
    page.on("console", (message) => {
      if (message.type() === "error" && !isNetworkError(message.text())) this.found.push(message.text());
    });
  }

  errors(): readonly string[] {
    return this.found;
  }

  async goto(url: string): Promise<void> {
    await this.page.goto(url);
  }

  async reload(): Promise<void> {
    await this.page.reload();
  }

  async evaluate(expression: string): Promise<unknown> {
    return JSON.parse(await this.page.evaluate(`(async () => JSON.stringify((await (${expression})) ?? null))()`));
  }

  async keys(keys: readonly string[], held: readonly string[] = []): Promise<void> {
    const { keyboard } = this.page;
    for (const key of held) await keyboard.down(nameOf(key));
    for (const key of keys) await keyboard.press(nameOf(key));
    for (const key of held) await keyboard.up(nameOf(key));
  }

  async drag(places: readonly Place[]): Promise<void> {
    const { mouse } = this.page;
    for (const [i, { x, y }] of places.entries()) {
      await mouse.move(x, y);
      if (i === 0) await mouse.down();
    }
    await mouse.up();
  }

  async close(): Promise<void> {
    await this.page.close();
  }
}

const PLACES = [process.env.CHROME_BIN, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Returns the path of a Chromium on this machine. */
export const findChromium = (): string | undefined => PLACES.find((path) => path && existsSync(path));

/** Starts Chromium without a window. */
export async function startChromium(program: string, folder: string, url: string) {
  const downloads = join(folder, "downloads");
  mkdirSync(downloads, { recursive: true });
  const context = await chromium.launchPersistentContext(join(folder, "profile"), {
    executablePath: program,
    args: ["--no-sandbox", "--no-first-run", "--disable-background-networking", "--disable-component-update"],
    viewport: { width: 1280, height: 800 },
  });
  const page = context.pages()[0] ?? (await context.newPage());
  page.on("download", (file) => void file.saveAs(join(downloads, file.suggestedFilename())));
  return { page: new ChromiumPage(page), url, downloads, stop: () => context.close() };
}
