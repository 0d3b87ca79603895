import { expect, test } from "@playwright/test";
import { Desk } from "../support/annotatorDesk";
import { startLiveServer } from "../support/liveServer";

test("a browser that has a scene receives it again only after a change", async ({ page }) => {
  const server = await startLiveServer();
  try {
    const desk = new Desk(page, server.url);
    await desk.register("ada");
    const dataset = await desk.plainDataset("harbour", ["boat"], ["quay"], 64, 48);
    const id = dataset.image("quay");
    await page.goto(`${server.url}api`);
    const ask = () =>
      page.evaluate(async (address) => {
        performance.clearResourceTimings();
        const answer = await fetch(address, { credentials: "same-origin" });
        const { image } = await answer.json();
        const [entry] = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
        const { transferSize = 0, encodedBodySize = 0 } = entry ?? {};
        return { status: answer.status, wasSent: transferSize > encodedBodySize, labels: image.labels };
      }, `${server.url}api/annotator/data/${id}?shape=rings`);
    expect(await ask()).toEqual({ status: 200, wasSent: true, labels: [] });
    expect(await ask()).toEqual({ status: 200, wasSent: false, labels: [] });
    const [category] = (await desk.scene(id)).categories;
    await desk.api("POST", `dataset/${dataset.id}/images/label`, { ids: [id], add: [category?.id] });
    expect(await ask()).toEqual({ status: 200, wasSent: true, labels: [category?.id] });
  } finally {
    await server.remove();
  }
});
