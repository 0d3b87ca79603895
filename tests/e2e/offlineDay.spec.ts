import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { Desk } from "../support/annotatorDesk";
import { differences, workOffline } from "../support/dayOffline";
import { startHarness } from "../support/dextrHarness";
import { startLiveServer } from "../support/liveServer";
import { specFolder } from "../support/specFolder";

/**
 * Work of a day, with a tenth of its 5,000 edits (tests/bench/offlineDay.ts makes them all): 500 edits on 50 images
 * while the server is stopped, with two restarts of the browser.
 */
const IMAGES = 50;
const folder = specFolder();

test("nothing of 500 edits made offline is lost, and nothing is stored twice", async ({ page }) => {
  const server = await startLiveServer();
  const harness = await startHarness(server.url, "offlinePage");
  try {
    const desk = new Desk(page, server.url);
    await desk.register("ada");
    const names = Array.from({ length: IMAGES }, (_, i) => String(i));
    const { image } = await desk.plainDataset("Day", ["car"], names, 200, 100);
    const images = names.map(image);
    const { id: categoryId } = (await desk.api<{ id: number }[]>("GET", "category/"))[0]!;
    const profile = join(folder, "profile");
    const { launchOptions } = test.info().project.use;
    const { installation } = await desk.api<{ installation: string }>("GET", "info");
    const owner = { installation, userId: 1, username: "ada" };
    const parts = { server, harness, owner, password: "correct horse", images, categoryId, profile };
    const { drawn } = await workOffline({ ...parts, launchOptions });
    for (const id of images) expect(differences(drawn[id] ?? {}, await desk.annotations(id)), `image ${id}`).toBe("");
  } finally {
    await harness.remove();
    await server.remove();
  }
});
