import type { KyselyPlugin } from "kysely";
import { expect, test } from "vitest";
import { annotationPage } from "../../../../server/features/annotations/findAnnotation";
import { imageCoco } from "../../../../server/features/exports/coco/imageCoco";
import { describeOnDatabases } from "../../../support/databases";
import { seededRandom } from "../../../support/seededRandom";
import { makeCategory, makeEditFixture } from "../edits/editFixture";

describeOnDatabases("lists of long annotations", (open) => {
  test("annotations are read only as fast as they are sent, and equal the response for a single annotation", async () => {
    const { db } = await open();
    const { user, datasetId, imageId } = await makeEditFixture(db);
    const category_id = await makeCategory(db, user, datasetId);
    const next = seededRandom(1);
    const ring = () => Array.from({ length: 120_000 }, () => Math.round(next() * 10_000) / 100);
    const shapes = [[ring()], { rings: [[ring(), [1, 1, 2, 1, 2, 2]]] }, null, [ring()], [ring()], [ring()]];
    for (const shape of shapes)
      await db
        .insertInto("annotations")
        .values({ image_id: imageId, category_id, color: "#336699", area: 5, shape: shape && JSON.stringify(shape) })
        .execute();

    let queries = 0;
    const counting: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        queries++;
        return result;
      },
    };
    const pieces = await annotationPage(db.withPlugin(counting), user, { page: 1, limit: 100 });
    const { value: first } = await pieces.next();
    expect(queries).toBe(2);
    let text = String(first);
    const lengths = [text.length];
    for await (const piece of pieces) {
      text += piece;
      lengths.push(piece.length);
    }
    expect(queries).toBeGreaterThan(3);
    expect(Math.max(...lengths)).toBeLessThan(200_000);
    const list = JSON.parse(text) as { segmentation: number[][]; rings: number[][][] }[];
    expect(list.map(({ rings }) => rings)).toEqual(
      shapes.map((shape) => (Array.isArray(shape) ? shape.map((each) => [each]) : (shape?.rings ?? []))),
    );
    expect(list.map(({ segmentation }) => segmentation)).toEqual(list.map(({ rings }) => rings.flat()));

    const image = await db.selectFrom("images").selectAll().where("id", "=", imageId).executeTakeFirstOrThrow();
    const coco: string[] = [];
    for await (const piece of await imageCoco(db, image, undefined, user)) coco.push(piece);
    expect(coco.length).toBeGreaterThan(shapes.length);
    const { annotations } = JSON.parse(coco.join("")) as { annotations: { segmentation: unknown }[] };
    expect(annotations[0]?.segmentation).toEqual(shapes[0]);
    expect(annotations).toHaveLength(shapes.length);
  });
});
