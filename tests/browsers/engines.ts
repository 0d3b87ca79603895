import type { BrowserPage } from "./browserPage";
import { findChromium, startChromium } from "./chromium";
import { findFirefox, startFirefox } from "./firefox";
import { findWebKit, startWebKit } from "./webKit";

/** A browser that has been started. */
export interface StartedBrowser {
  page: BrowserPage;
  /** URL of the server's pages for this browser, with a trailing slash. */
  url: string;
  /** Folder into which the browser saves files. */
  downloads: string;
  stop(): Promise<void>;
}

/** A browser that the walk can use. */
export interface Engine {
  name: string;
  /** Returns the program's path, or undefined if this machine does not have it. */
  find(): string | undefined;
  /** Advice if the browser is missing. */
  advice: string;
  start(program: string, folder: string, url: string): Promise<StartedBrowser>;
}

export const ENGINES: readonly Engine[] = [
  {
    name: "Chromium",
    find: findChromium,
    advice: "Install chromium, or set CHROME_BIN=/path/to/chrome.",
    start: startChromium,
  },
  {
    name: "Firefox",
    find: findFirefox,
    advice: "Install firefox-esr, or set FIREFOX_BIN=/path/to/firefox.",
    start: startFirefox,
  },
  {
    name: "WebKit (Safari's engine)",
    find: findWebKit,
    advice: "Install webkit2gtk-driver and xvfb, or set WEBKIT_DRIVER_BIN=/path/to/WebKitWebDriver.",
    start: startWebKit,
  },
];
