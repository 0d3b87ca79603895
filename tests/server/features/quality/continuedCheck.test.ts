import { sql } from "kysely";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { HttpError } from "../../../../server/base/errors";
import { log } from "../../../../server/base/log";
import { checkQuality } from "../../../../server/features/quality/check/checkQuality";
import type { Files } from "../../../../server/files/files";
import type { Dextr } from "../../../../server/onnx/dextr";
import type { ShownFinding } from "../../../../shared/api/datasets/quality";
import { FEWEST_COMPARED } from "../../../../shared/quality/categoryOutliers";
import { describeOnBothDatabases, type TestDatabase } from "../../../support/databases";
import { seededRandom } from "../../../support/seededRandom";
import { startServer, type TestServer, type TestUser } from "../../../support/server";

const IMAGES = 8;
/** Number of annotations that makes each image a piece by itself. */
const MANY = 2_000;

// These tests provoke errors, which would be logged.
log.level = "silent";

describeOnBothDatabases("a quality check that was interrupted", (open) => {
  let database: TestDatabase;
  let server: TestServer;
  let ann: TestUser;
  let dataset: { id: number; folder: string };

  beforeAll(async () => {
    database = await open();
    server = await startServer(database);
    ann = await server.user("ann");
    const { id } = (await ann.post("dataset/", { name: "interrupted" })).body;
    const category = (await ann.post("category/", { name: "thing" })).body.id;
    for (let n = 0; n < IMAGES; n++) {
      const body = new FormData();
      // Each two images are the same.
      body.set("files", new Blob([new Uint8Array(await picture(n >> 1))]), `${n}.jpg`);
      const { body: sent } = await ann.request("POST", `dataset/${id}/upload`, { body });
      for (let i = 0; i < 2; i++)
        await ann.post("annotation/", {
          image_id: sent.files[0].id,
          category_id: category,
          segmentation: [[20, 20, 80, 20, 80, 60, 20, 60]],
        });
    }
    await server.db.updateTable("images").set({ num_annotations: MANY }).where("dataset_id", "=", id).execute();
    dataset = await server.db.selectFrom("datasets").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  });
  afterAll(() => server.close());

  /** Returns a picture of coarse random cells. */
  function picture(seed: number): Promise<Buffer> {
    const random = seededRandom(seed + 1);
    const cells = Buffer.from(Array.from({ length: 12 * 9 * 3 }, () => Math.floor(256 * random())));
    return sharp(cells, { raw: { width: 12, height: 9, channels: 3 } })
      .resize(200, 150)
      .jpeg()
      .toBuffer();
  }

  /**
   * Checks the dataset. `before` is called with the number of images that were read before, `onProgress` with the
   * progress in percent.
   */
  async function check(
    before: (count: number) => void = () => undefined,
    cancel = new AbortController(),
    onProgress: (percent: number) => void = () => undefined,
  ) {
    let reads = 0;
    const images: Files["images"] = {
      ...server.services.files.images,
      grey: (image, side) => {
        before(reads++);
        return server.services.files.images.grey(image, side);
      },
    };
    const look = () => Promise.reject(new HttpError(503, "DEXTR cannot run on this server."));
    const thread = { look, isWanted: () => false, close: async () => undefined } as Partial<Dextr> as Dextr;
    const tools = {
      db: server.db,
      files: { ...server.services.files, images },
      dextr: { ...thread, another: () => thread },
      signal: cancel.signal,
      taskId: 1,
      warn: () => undefined,
      progress: onProgress,
    };
    return checkQuality(tools, dataset, IMAGES);
  }

  async function findings(): Promise<unknown[]> {
    const { rows } = await sql`select kind, key, image_id, annotation_id, revision, other_image_id, other_annotation_id,
      category_id, score, details from quality_findings order by kind, key`.execute(server.db);
    return rows;
  }

  async function forgetCheck(): Promise<void> {
    await sql`delete from quality_findings`.execute(server.db);
    await sql`delete from quality_images`.execute(server.db);
  }

  it("continues, and finds the same as one that was not", async () => {
    expect(await check()).toMatchObject({ images: IMAGES, read: IMAGES });
    const undisturbed = await findings();
    expect(undisturbed.length).toBeGreaterThan(IMAGES);
    await forgetCheck();
    const cancel = new AbortController();
    await expect(check((count) => count === IMAGES / 2 && cancel.abort(), cancel)).rejects.toThrow();
    const { read } = await check();
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(IMAGES);
    expect(await findings()).toEqual(undisturbed);
  });

  it("ends its other work before it fails, and continues after an error", async () => {
    await forgetCheck();
    let last = 0;
    const fail = (count: number) => {
      last = count;
      if (count === 3) throw new Error("The disk failed.");
    };
    await expect(check(fail)).rejects.toThrow("The disk failed.");
    const seen = last;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(last).toBe(seen);
    expect((await check()).read).toBeLessThan(IMAGES);
  });

  it("leaves out what it found about annotations that are changed before it ends", async () => {
    await forgetCheck();
    const category = (await ann.post("category/", { name: "sized" })).body.id;
    const [image] = await server.db.selectFrom("images").select("id").where("dataset_id", "=", dataset.id).execute();
    const draw = async (width: number, height: number): Promise<number> => {
      const segmentation = [[10, 10, 10 + width, 10, 10 + width, 10 + height, 10, 10 + height]];
      return (await ann.post("annotation/", { image_id: image!.id, category_id: category, segmentation })).body.id;
    };
    for (let i = 0; i < FEWEST_COMPARED; i++) await draw(8 + (i % 3), 6 + (i % 2));
    const [kept, changed] = [await draw(150, 120), await draw(160, 110)];
    let change: Promise<unknown> | undefined;
    await check(undefined, undefined, (percent) => {
      if (percent === 95)
        change = server.db
          .updateTable("annotations")
          .set(({ eb }) => ({ revision: eb("revision", "+", 1) }))
          .where("id", "=", changed)
          .execute();
    });
    await change;
    const { body } = await ann.get(`dataset/${dataset.id}/quality/findings?kind=unusualSize`);
    expect(body.findings.map((each: ShownFinding) => each.annotation?.id)).toEqual([kept]);
  });
});
