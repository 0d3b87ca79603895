import { expect, test } from "@playwright/test";
import { type LiveServer, startLiveServer } from "../support/liveServer";
import { createDataset, register } from "../support/userSteps";

/** The same build under a base path, with its service worker: cookie, scope, socket and deep links follow. */
test.use({ serviceWorkers: "allow" });

let server: LiveServer;
test.beforeAll(async () => {
  server = await startLiveServer({ BASE_PATH: "/limn/" });
});
test.afterAll(() => server.remove());

test("works under /limn/, and opens offline", async ({ page, context }) => {
  const sockets: string[] = [];
  page.on("websocket", (socket) => sockets.push(new URL(socket.url()).pathname));
  await register(page, server.url);
  await createDataset(page, "Elsewhere");
  await expect(page).toHaveURL(/\/limn\/dataset\/1$/);

  const cookies = await context.cookies(server.url);
  expect(cookies.map(({ path, httpOnly, sameSite }) => ({ path, httpOnly, sameSite }))).toEqual([
    { path: "/limn/", httpOnly: true, sameSite: "Lax" },
  ]);
  await expect.poll(() => sockets).toContain("/limn/socket.io/");

  const scope = await page.evaluate(async () => (await navigator.serviceWorker.ready).scope);
  expect(new URL(scope).pathname).toBe("/limn/");
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);

  const response = await page.goto(`${server.url}dataset/1`);
  expect(response?.ok()).toBe(true);
  await expect(page.getByText("Elsewhere").first()).toBeVisible();

  await server.stop();
  await page.goto(`${server.url}datasets`);
  await expect(page.getByRole("link", { name: "Datasets" })).toBeVisible();
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  const cached = await page.evaluate(async () => {
    const names = await caches.keys();
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });
  expect(cached.length).toBeGreaterThan(5);
  expect(cached.filter((path) => path.includes("/api"))).toEqual([]);
});
