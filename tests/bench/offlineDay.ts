import { rmSync } from "node:fs";
import type { Annotation } from "../../shared/entities/annotation";
import { differences, EDITS_PER_IMAGE, workOffline } from "../support/dayOffline";
import { startHarness } from "../support/dextrHarness";
import { newFolder } from "../support/runFolder";
import type { Bed } from "./bed";
import { chromeOptions } from "./browser";
import type { Figure } from "./figures";
import { seedImages } from "./seed";

const IMAGES = 500;
const MAX_SECONDS = 60;

/**
 * Measures how long a day's edits, made in Chromium while the server was stopped, take to arrive. Throws if any is
 * lost.
 */
export async function offlineDay(bed: Bed): Promise<Figure> {
  const { id } = await bed.client.send<{ id: number }>("POST", "dataset/?name=day", {});
  const { id: categoryId } = await bed.client.send<{ id: number }>("POST", "category/", { name: "thing" });
  await bed.rows(({ db }) => seedImages(db, id, IMAGES));
  const { installation } = await bed.client.get<{ installation: string }>("info");
  const { images: rows } = await bed.client.get<{ images: { id: number }[] }>(`dataset/${id}/manifest`);
  const images = rows.map((row) => row.id);
  const harness = await startHarness(bed.server.url, "offlinePage");
  const profile = newFolder("day");
  try {
    const owner = { installation, userId: 1, username: "bench" };
    const parts = { server: bed.server, harness, owner, password: "bench-password", images, categoryId, profile };
    const { drawn, ms } = await workOffline({ ...parts, launchOptions: chromeOptions() });
    for (const image of images) {
      const { categories } = await bed.client.get<{ categories: { annotations: Annotation[] }[] }>(
        `annotator/data/${image}?shape=rings`,
      );
      const stored = categories.flatMap(({ annotations }) => annotations);
      const wrong = differences(drawn[image] ?? {}, stored);
      if (wrong) throw new Error(`Image ${image}: ${wrong}`);
    }
    const count = IMAGES * EDITS_PER_IMAGE;
    return {
      what: `Sending ${count.toLocaleString("en")} edits of ${IMAGES} images made offline, two browser restarts between, ${bed.kind}`,
      ours: `${(ms / 1000).toFixed(1)} s, 0 lost, 0 twice`,
      peer: "-",
      ratio: null,
      goal: `less than ${MAX_SECONDS} s`,
      met: ms < MAX_SECONDS * 1000,
    };
  } finally {
    await harness.remove();
    rmSync(profile, { recursive: true, force: true });
  }
}
