import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { chromium } from "@playwright/test";
import type { Bed } from "./bed";
import type { Figure } from "./figures";

const GOAL_KB = 300;

/** Measures the first visit of the datasets page: documents, scripts and styles, each gzipped as it would be sent. */
export async function download(bed: Bed): Promise<Figure> {
  const setup = JSON.parse(readFileSync("node_modules/.cache/limn-setup.json", "utf8"));
  const browser = await chromium.launch({
    executablePath: process.env.CHROME_BIN ?? setup.browser,
    args: ["--no-sandbox", "--disable-quic"],
  });
  const context = await browser.newContext({ serviceWorkers: "block" });
  const page = await context.newPage();
  await context.request.post(`${bed.server.url}api/user/login`, {
    data: { username: "bench", password: "bench-password" },
    headers: { Origin: new URL(bed.server.url).origin },
  });

  const sizes = new Map<string, number>();
  page.on("response", async (response) => {
    const type = response.request().resourceType();
    if (!["document", "script", "stylesheet", "font"].includes(type)) return;
    const body = await response.body().catch(() => Buffer.alloc(0));
    sizes.set(response.url(), gzipSync(body, { level: 6 }).length);
  });
  await page.goto(`${bed.server.url}datasets`, { waitUntil: "networkidle" });
  await browser.close();

  const kb = [...sizes.values()].reduce((sum, size) => sum + size, 0) / 1000;
  return {
    what: "Initial download of the datasets page (HTML, JavaScript, CSS), gzipped",
    ours: `${Math.round(kb)} kB in ${sizes.size} files`,
    peer: "-",
    ratio: null,
    goal: `under ${GOAL_KB} kB`,
    met: kb < GOAL_KB,
  };
}
