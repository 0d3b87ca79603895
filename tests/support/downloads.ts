import { gzipSync } from "node:zlib";
import type { Page } from "@playwright/test";

/** Code that a page has requested: its address and gzipped size in bytes. */
export interface Download {
  url: string;
  size: number;
}

export interface Downloads {
  /** Requested until the page was shown. */
  first: Download[];
  /** Requested after that. */
  later: Download[];
}

/** Chunks that follow the first page when the browser is idle. */
export const LATER = ["openOffline", "Notices", "OfflineState", "OfflineDialog", "LogoutQuestion", "CopyMark"];

/**
 * Opens an address and returns the documents, scripts and styles that the page requests until all of `LATER` are there.
 * The page counts as shown when an element matches `shown`.
 */
export async function openAndMeasure(page: Page, address: string, shown: string): Promise<Downloads> {
  await page.addInitScript((selector) => {
    const observer = new MutationObserver(() => {
      if (!document.querySelector(selector)) return;
      performance.mark("shown");
      observer.disconnect();
    });
    observer.observe(document, { childList: true, subtree: true });
  }, shown);
  const sizes = new Map<string, Promise<number>>();
  page.on("response", (response) => {
    if (!["document", "script", "stylesheet", "font"].includes(response.request().resourceType())) return;
    const size = async () => gzipSync(await response.body().catch(() => Buffer.alloc(0)), { level: 6 }).length;
    sizes.set(response.url(), size());
  });
  await page.goto(address);
  await page.waitForFunction((names) => {
    const urls = performance.getEntriesByType("resource").map(({ name }) => name);
    return names.every((name) => urls.some((url) => url.includes(`/${name}-`)));
  }, LATER);
  // On a busy machine the network is never idle; the later parts have arrived by then.
  await page.waitForLoadState("networkidle", { timeout: 20_000 }).catch(() => undefined);
  const late = await page.evaluate(() => {
    const at = performance.getEntriesByName("shown")[0]!.startTime;
    return performance.getEntriesByType("resource").flatMap(({ name, startTime }) => (startTime > at ? [name] : []));
  });
  const all = await Promise.all([...sizes].map(async ([url, size]) => ({ url, size: await size })));
  return {
    first: all.filter(({ url }) => !late.includes(url)),
    later: all.filter(({ url }) => late.includes(url)),
  };
}

/** Returns the sum of gzipped sizes in kilobytes. */
export const kilobytes = (downloads: readonly Download[]): number =>
  downloads.reduce((sum, { size }) => sum + size, 0) / 1000;
