import { expect, it, vi } from "vitest";

vi.mock("virtual:pwa-register", () => {
  throw new TypeError("Importing a module script failed.");
});

it("the service worker's code may fail to load, as on a page that is left at once", async () => {
  const { startServiceWorker } = await import("../../../web/io/serviceWorker");
  await expect(startServiceWorker()).resolves.toBeUndefined();
});
