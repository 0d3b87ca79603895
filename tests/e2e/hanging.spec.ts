import { expect, test } from "@playwright/test";
import { startLiveServer } from "../support/liveServer";
import { createDataset, register } from "../support/userSteps";

/** A server that accepts requests and responds to none. */
test.use({ serviceWorkers: "allow" });

test("the installed application opens while the server hangs, and continues when it responds again", async ({
  page,
}) => {
  const server = await startLiveServer();
  try {
    await register(page, server.url);
    await createDataset(page, "Holidays");
    await page.evaluate(async () => (await navigator.serviceWorker.ready).scope);
    process.kill(server.pid, "SIGSTOP");
    await page.goto(`${server.url}datasets`);
    await expect(page.getByText(/^Offline( since| ·)/)).toBeVisible();
    await expect(page.getByRole("button", { name: "Account of ada" })).toBeVisible();
    process.kill(server.pid, "SIGCONT");
    await expect(page.getByRole("article", { name: "Holidays" })).toBeVisible();
    await expect(page.getByText(/^Offline( since| ·)/)).toHaveCount(0);
  } finally {
    process.kill(server.pid, "SIGCONT");
    await server.remove();
  }
});
