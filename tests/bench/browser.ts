import { readFileSync } from "node:fs";
import { type Browser, chromium, type LaunchOptions } from "@playwright/test";

/**
 * Returns options that start the Chromium of the browser tests. With `unlimited`, frames are rendered as fast as
 * possible, so that the time between two is the cost of one instead of the display's interval.
 */
export function chromeOptions({ unlimited = false } = {}): LaunchOptions {
  const setup = JSON.parse(readFileSync("node_modules/.cache/limn-setup.json", "utf8"));
  return {
    executablePath: process.env.CHROME_BIN ?? setup.browser,
    args: [
      "--no-sandbox",
      "--disable-quic",
      ...(unlimited ? ["--disable-frame-rate-limit", "--disable-gpu-vsync"] : []),
    ],
  };
}

export const launchBrowser = (options = {}): Promise<Browser> => chromium.launch(chromeOptions(options));
