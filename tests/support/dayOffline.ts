import type { LaunchOptions, Page } from "@playwright/test";
import { chromium } from "@playwright/test";
import type { Annotation } from "../../shared/entities/annotation";
import type { DextrHarness } from "./dextrHarness";
import type { LiveServer } from "./liveServer";
import type { Drawn } from "./offlinePage/offlineDay";

interface Parts {
  server: LiveServer;
  harness: DextrHarness;
  owner: { installation: string; userId: number; username: string };
  password: string;
  images: readonly number[];
  categoryId: number;
  /** Folder of the browser's profile. */
  profile: string;
  launchOptions?: LaunchOptions | undefined;
}

/** Edits of each image that `drawOnEach` makes. */
export const EDITS_PER_IMAGE = 10;

/**
 * Draws on all images while the server is stopped, with the browser restarted twice, then starts the server and sends
 * everything. Returns the annotations that must exist, and the milliseconds from the server's start until all was sent.
 */
export async function workOffline(parts: Parts): Promise<{ drawn: Drawn; ms: number }> {
  const { server, owner, images, categoryId } = parts;
  await inBrowser(parts, async (page) => {
    const { username } = owner;
    const headers = { Origin: new URL(parts.harness.url).origin };
    await page.request.post(`${parts.harness.url}api/user/login`, {
      data: { username, password: parts.password },
      headers,
    });
  });
  await server.stop();
  const drawn: Drawn = {};
  const third = Math.ceil(images.length / 3);
  for (let from = 0; from < images.length; from += third)
    await inBrowser(parts, async (page) => {
      const part = images.slice(from, from + third);
      Object.assign(
        drawn,
        await page.evaluate(([who, ids, category]) => window.offlinePage.drawOnEach(who, ids, category), [
          owner,
          part,
          categoryId,
        ] as const),
      );
    });
  let ms = 0;
  await inBrowser(parts, async (page) => {
    const { pending } = await page.evaluate((who) => window.offlinePage.pendingEdits(who), owner);
    const all = images.length * EDITS_PER_IMAGE;
    if (pending !== all) throw new Error(`${pending} of ${all} edits are in the journal.`);
    await server.start();
    ms = await page.evaluate((who) => window.offlinePage.sendAll(who), owner);
    const { conflicts } = await page.evaluate((who) => window.offlinePage.pendingEdits(who), owner);
    if (conflicts > 0) throw new Error(`${conflicts} edits are in conflict.`);
  });
  return { drawn, ms };
}

/**
 * Returns the missing and the surplus annotations of an image as text; an empty text if it has exactly those that were
 * drawn.
 */
export function differences(drawn: Record<string, number>, stored: readonly Annotation[]): string {
  const wanted = Object.entries(drawn).map(([uuid, left]) => `${uuid} at ${left}`);
  const found = stored.map(({ uuid, rings }) => `${uuid} at ${rings?.[0]?.[0]?.[0]}`);
  const lost = wanted.filter((each) => !found.includes(each));
  const surplus = found.length - (wanted.length - lost.length);
  return lost.length === 0 && surplus === 0 ? "" : `${lost.length} lost, ${surplus} too many`;
}

/** Starts the browser with its profile, opens the page, and closes the browser after `work`. */
async function inBrowser({ harness, profile, launchOptions }: Parts, work: (page: Page) => Promise<void>) {
  const context = await chromium.launchPersistentContext(profile, launchOptions);
  try {
    const page = context.pages()[0] ?? (await context.newPage());
    await page.goto(harness.url);
    await work(page);
  } finally {
    await context.close();
  }
}
