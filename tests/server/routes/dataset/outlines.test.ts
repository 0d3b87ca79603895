import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { recountImages } from "../../../../server/features/annotations/rows/recountImages";
import { MAX_OUTLINED } from "../../../../shared/outlines/imageOutlines";
import { describeOnBothDatabases } from "../../../support/databases";
import { seedCategory, seedDataset, seedImage } from "../../../support/factories";
import { startServer, type TestServer, type TestUser } from "../../../support/server";

describeOnBothDatabases("outlines for thumbnails", (open) => {
  let server: TestServer;
  let ann: TestUser;
  let datasetId: number;
  let imageId: number;
  let categoryId: number;
  /** As the path of an image of 640 × 480 pixels. */
  const SQUARE = { segmentation: [[64, 64, 192, 64, 192, 192, 64, 192]], path: "M50 50l100 0 0 100-100 0z" };

  beforeAll(async () => {
    server = await startServer(await open());
    ann = await server.user("ann");
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    categoryId = await seedCategory(server.db, ann.id);
    datasetId = await seedDataset(server.db, { ownerId: ann.id, categories: [categoryId] });
    imageId = await seedImage(server.db, datasetId);
  });

  const outlines = (ids: readonly number[], headers = {}) =>
    ann.request("GET", `dataset/${datasetId}/outlines?ids=${ids}`, { headers });
  const draw = (segmentation: number[][]) =>
    ann.post("annotation/", { image_id: imageId, category_id: categoryId, segmentation });

  it("are sent in the order of the ids, with the colours of their categories", async () => {
    await draw(SQUARE.segmentation);
    const other = await seedImage(server.db, datasetId);
    const { body } = await outlines([other, imageId, other]);
    expect(body).toEqual({
      categories: [{ id: categoryId, color: "#336699" }],
      outlines: [
        { id: other, paths: [], omitted: 0 },
        { id: imageId, paths: [{ category: categoryId, path: SQUARE.path }], omitted: 0 },
      ],
    });
  });

  it("are sent again only after a change of the image or a colour", async () => {
    await draw(SQUARE.segmentation);
    const first = await outlines([imageId]);
    const tag = first.headers.get("ETag");
    expect((await outlines([imageId], { "If-None-Match": tag })).status).toBe(304);
    await draw([[0, 0, 128, 0, 128, 128]]);
    const second = await outlines([imageId], { "If-None-Match": tag });
    expect(second.body.outlines[0].paths).toEqual([{ category: categoryId, path: `${SQUARE.path}M0 0l100 0 0 100z` }]);
    await ann.put(`category/${categoryId}`, { name: "renamed", color: "#00ff00" });
    const third = await outlines([imageId], { "If-None-Match": second.headers.get("ETag") });
    expect(third.body.categories).toEqual([{ id: categoryId, color: "#00ff00" }]);
  });

  it("leave out images of other datasets and images in the trash", async () => {
    const foreign = await seedImage(server.db, await seedDataset(server.db));
    const deleted = await seedImage(server.db, datasetId);
    await server.db.updateTable("images").set({ deleted_at: new Date() }).where("id", "=", deleted).execute();
    expect((await outlines([foreign, deleted, 999_999])).body.outlines).toEqual([]);
    expect((await ann.get(`dataset/${datasetId}/outlines`)).body).toEqual({ outlines: [], categories: [] });
    expect((await outlines(Array.from({ length: 201 }, (_, i) => i + 1))).status).toBe(400);
  });

  it("are those of the largest annotations if there are too many, with the number of omitted annotations", async () => {
    const many = MAX_OUTLINED + 20;
    await sql`
      insert into annotations (image_id, category_id, color, shape, area, bbox)
      select ${imageId}::int, ${categoryId}::int, '#336699', '[[0,0,128,0,128,128]]', i, '[0,0,128,128]'
      from generate_series(1, ${many}) as i`.execute(server.db);
    await draw(SQUARE.segmentation);
    await recountImages(server.db, [imageId]);
    const { body } = await outlines([imageId]);
    const [{ paths, omitted }] = body.outlines;
    expect(omitted).toBe(many + 1 - MAX_OUTLINED);
    expect(paths[0].path.startsWith(SQUARE.path)).toBe(true);
    expect(paths[0].path.match(/M/g)).toHaveLength(MAX_OUTLINED);
  });

  it("show a shape as its box once the shapes of an image are too large", async () => {
    const long = Array.from({ length: 40_000 }, (_, i) => [100.123456 + (i % 300), 100.123456 + i / 200]).flat();
    await sql`
      insert into annotations (image_id, category_id, color, shape, area, bbox) values
      (${imageId}::int, ${categoryId}::int, '#336699', ${JSON.stringify([long])}::json, 5, '[64,64,128,128]')`.execute(
      server.db,
    );
    await recountImages(server.db, [imageId]);
    expect((await outlines([imageId])).body.outlines[0].paths).toEqual([{ category: categoryId, path: SQUARE.path }]);
  });
});
