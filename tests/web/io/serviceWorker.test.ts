import { expect, it, vi } from "vitest";

vi.mock("virtual:pwa-register", () => {
  throw new TypeError("Importing a module script failed.");
});

it("a failure to load the service worker's code is ignored, e.g. on a page that is left at once", async () => {
  const { startServiceWorker } = await import("../../../web/io/serviceWorker");
  await expect(startServiceWorker()).resolves.toBeUndefined();
});
