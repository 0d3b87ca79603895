import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { exportOf, importFile, readCoco, seedImages } from "../../support/coco";
import { describeOnBothDatabases } from "../../support/databases";
import { seedDataset } from "../../support/factories";
import { findSamples } from "../../support/samples";
import { startServer, type TestServer, type TestUser } from "../../support/server";

describeOnBothDatabases("COCO import and export", (open) => {
  let server: TestServer;
  let ann: TestUser;

  beforeAll(async () => {
    server = await startServer(await open());
    ann = await server.user("ann");
  });
  afterAll(() => server.close());

  it("returns the official files' annotations number for number", async () => {
    const samples = findSamples();
    for (const path of [samples?.instances, samples?.keypoints]) {
      if (!path) continue;
      const file = await readCoco(path);
      const datasetId = await seedDataset(server.db, { ownerId: ann.id });
      await seedImages(server, datasetId, file.images as never);
      const { row, log, report } = await importFile(server, ann, datasetId, await readFile(path, "utf8"));
      expect([row.state, row.warnings, row.errors], log.join("\n")).toEqual(["done", 0, 0]);
      expect(report).toMatchObject({ created: file.annotations.length, matched: 0, skipped: {} });
      const out = await exportOf(ann, datasetId);
      expect(comparable(out)).toEqual(comparable(file));
    }
  });
});

/** Returns the parts that must be preserved, named by what both files share: image and category names, and numbers. */
function comparable({ images, categories, annotations }: Awaited<ReturnType<typeof readCoco>>) {
  const fileNames = new Map(images.map(({ id, file_name }) => [id, file_name]));
  const names = new Map(categories.map(({ id, name }) => [id, name]));
  const text = annotations.map(({ image_id, category_id, segmentation, area, bbox, iscrowd, keypoints }) =>
    canonical([fileNames.get(image_id), names.get(category_id), segmentation, area, bbox, iscrowd, keypoints]),
  );
  return text.sort();
}

/** Returns JSON with sorted keys. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner) =>
    inner && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
