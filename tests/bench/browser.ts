import { readFileSync } from "node:fs";
import { type Browser, chromium } from "@playwright/test";

/**
 * The Chromium of the browser tests. `unlimited` lets frames follow each other as fast as they are made, so that the time
 * between two is what one costs, not what the display waits.
 */
export function launchBrowser({ unlimited = false } = {}): Promise<Browser> {
  const setup = JSON.parse(readFileSync("node_modules/.cache/limn-setup.json", "utf8"));
  return chromium.launch({
    executablePath: process.env.CHROME_BIN ?? setup.browser,
    args: [
      "--no-sandbox",
      "--disable-quic",
      ...(unlimited ? ["--disable-frame-rate-limit", "--disable-gpu-vsync"] : []),
    ],
  });
}
