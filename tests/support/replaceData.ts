import type { BrowserContext } from "@playwright/test";
import type { LiveServer } from "./liveServer";

/**
 * Replaces the data of a stopped server, as a restore does, and starts the server. `then` runs while no tab reaches the
 * server, so that the new data is complete before tabs reconnect.
 */
export async function replaceData(
  server: LiveServer,
  contexts: readonly BrowserContext[],
  replace: () => Promise<unknown>,
  then: () => Promise<void>,
): Promise<void> {
  await server.stop();
  await replace();
  for (const each of contexts) await each.setOffline(true);
  await server.start();
  await then();
  for (const each of contexts) await each.setOffline(false);
}
