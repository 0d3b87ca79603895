import type { Page, Route } from "@playwright/test";

/**
 * Ways in which a call fails. `unavailable`: the server never receives it, and a proxy returns 503. `cut`: the server
 * has processed it, and the connection ends before its response. `silent`: the server has processed it, and no response
 * ever arrives.
 */
const ALL = ["unavailable", "cut", "silent"] as const;
export type Failure = (typeof ALL)[number];

/**
 * All failures with LIMN_ALL_FAILURES, otherwise the hardest to handle: the server has processed the call, and the page
 * does not know.
 */
export const FAILURES: readonly Failure[] = process.env.LIMN_ALL_FAILURES ? ALL : ["cut"];

/** Longer than a page waits for a response. */
const PATIENCE_MS = 61_000;

interface Wanted {
  method: string;
  /** Matches the part of the address after `/api/`. */
  path: RegExp;
}

/**
 * Lets the next matching call of a page fail, and passes all others on. The page's fake clock must be installed.
 * Returns a function that waits until the call has failed.
 */
export async function failOnce(
  page: Page,
  { method, path }: Wanted,
  failure: Failure,
): Promise<{ failed: () => Promise<void> }> {
  let isFailing = true;
  let tell = () => {};
  const failed = new Promise<void>((resolve) => {
    tell = resolve;
  });
  await page.route("**/api/**", async (route) => {
    const request = route.request();
    const address = new URL(request.url()).pathname.split("/api/")[1] ?? "";
    if (!isFailing || request.method() !== method || !path.test(address)) return route.fallback();
    isFailing = false;
    await fail(page, route, failure);
    tell();
  });
  return { failed: () => failed };
}

async function fail(page: Page, route: Route, failure: Failure): Promise<void> {
  if (failure === "unavailable")
    return route.fulfill({ status: 503, contentType: "text/html", body: "<h1>Sorry</h1>" });
  await route.fetch();
  if (failure === "cut") return route.abort("connectionreset");
  await page.clock.fastForward(PATIENCE_MS);
  // The page has already given the call up.
  await route.abort().catch(() => undefined);
}
