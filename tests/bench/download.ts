import { readFileSync } from "node:fs";
import { chromium } from "@playwright/test";
import { type Download, kilobytes, openAndMeasure } from "../support/downloads";
import type { Bed } from "./bed";
import type { Figure } from "./figures";

const GOAL_KB = 300;

/**
 * Measures the first visit of the datasets page: documents, scripts and styles, each gzipped as it would be sent, until
 * the page shows its datasets, and after that.
 */
export async function download(bed: Bed): Promise<Figure[]> {
  const setup = JSON.parse(readFileSync("node_modules/.cache/limn-setup.json", "utf8"));
  const browser = await chromium.launch({
    executablePath: process.env.CHROME_BIN ?? setup.browser,
    args: ["--no-sandbox", "--disable-quic"],
  });
  const context = await browser.newContext({ serviceWorkers: "block" });
  const headers = { Origin: new URL(bed.server.url).origin };
  await context.request.post(`${bed.server.url}api/user/login`, {
    data: { username: "bench", password: "bench-password" },
    headers,
  });
  await context.request.post(`${bed.server.url}api/dataset/`, { data: { name: "Harbour" }, headers });
  const page = await context.newPage();
  const { first, later } = await openAndMeasure(page, `${bed.server.url}datasets`, "main article");
  await browser.close();

  const kb = kilobytes(first);
  return [
    {
      what: "Download of the datasets page until it is shown (HTML, JavaScript, CSS), gzipped",
      ours: textOf(first),
      peer: "-",
      ratio: null,
      goal: `under ${GOAL_KB} kB`,
      met: kb < GOAL_KB,
    },
    {
      what: "Code that the datasets page loads after that, when the browser is idle, gzipped",
      ours: textOf(later),
      peer: "-",
      ratio: null,
      goal: "after the page",
      met: !first.some(({ url }) => url.includes("/openOffline-")),
    },
  ];
}

const textOf = (files: readonly Download[]): string => `${Math.round(kilobytes(files))} kB in ${files.length} files`;
