import type { Page, Route } from "@playwright/test";

/**
 * Ways in which a call fails. `unavailable`: the server never sees it, and a proxy returns 503. `cut`: the server has
 * done it, and the connection ends before its response. `silent`: the server has done it, and no response ever comes.
 */
const ALL = ["unavailable", "cut", "silent"] as const;
export type Failure = (typeof ALL)[number];

/** With LIMN_ALL_FAILURES all of them, else the one that is hardest to get right: the server has done it, unseen. */
export const FAILURES: readonly Failure[] = process.env.LIMN_ALL_FAILURES ? ALL : ["cut"];

/** Longer than a page waits for a response. */
const PATIENCE_MS = 61_000;

interface Wanted {
  method: string;
  /** Of the address behind `/api/`. */
  path: RegExp;
}

/**
 * Lets the next matching call of a page fail, and passes on all others. Resolves when it has failed; the clock of the
 * page must be installed. Returns how to await that.
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
  // The page has given it up by now.
  await route.abort().catch(() => undefined);
}
