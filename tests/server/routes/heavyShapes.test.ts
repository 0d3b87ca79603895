import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { measure } from "../../../shared/coco/measure";
import { compress } from "../../../shared/coco/rle";
import { traceRuns } from "../../../shared/coco/trace";
import { importFile, seedImages } from "../../support/coco";
import { describeOnDatabases } from "../../support/databases";
import { startServer, type TestServer, type TestUser } from "../../support/server";

const zigzag = (points: number, width: number, height: number) =>
  Array.from({ length: points }, (_, i) => [i % 2 ? width - 1.5 : 0.5, (i * height) / points]).flat();

describeOnDatabases("heavy shapes", (open) => {
  let server: TestServer;
  let ada: TestUser;
  let large: number;
  let small: number;
  let category: number;
  let datasetId: number;

  beforeAll(async () => {
    server = await startServer(await open());
    ada = await server.user("ada");
    const { body: dataset } = await ada.post("dataset/", { name: "heavy", categories: ["heavy"] });
    datasetId = dataset.id;
    await seedImages(server, dataset.id, [
      { file_name: "large.png", width: 9000, height: 9000 },
      { file_name: "small.png", width: 640, height: 480 },
    ]);
    const rows = await server.db.selectFrom("images").select(["id", "path"]).execute();
    large = rows.find(({ path }) => path === "large.png")?.id ?? 0;
    small = rows.find(({ path }) => path === "small.png")?.id ?? 0;
    category = (await ada.get(`dataset/${dataset.id}/data`)).body.categories[0].id;
    return () => server.close();
  });

  const creation = (image_id: number, rings: unknown) => ({
    ...{ uuid: randomUUID(), image_id, base: 0, subject: "annotation", target: randomUUID(), action: "create" },
    ...{ before: {}, after: { category_id: category, rings, isbbox: false } },
  });
  const send = (edits: unknown[]) => ada.post("annotator/edits", { client: "heavy-shapes", edits });
  const measuresOf = (uuid: string) =>
    server.db.selectFrom("annotations").select(["area", "bbox"]).where("uuid", "=", uuid).executeTakeFirst();

  test("an edit with a zigzag over 81 million pixels is stored with its measures", async () => {
    const rings = [[zigzag(600, 9000, 9000)]];
    const edit = creation(large, rings);
    const { status, body } = await send([edit]);
    expect(status).toBe(200);
    expect(body.answers).toMatchObject([{ status: "applied" }]);
    expect(await measuresOf(edit.target)).toEqual(measure(rings, 9000, 9000));
  });

  test("a batch whose outlines together cross the image too often returns 413 with a code, and stores nothing", async () => {
    const edits = Array.from({ length: 6 }, (_, i) => creation(large, [[zigzag(3500 + i, 9000, 9000)]]));
    const { status, body } = await send(edits);
    expect(status).toBe(413);
    expect(body.code).toBe("too_much_to_measure");
    for (const { target } of edits) expect(await measuresOf(target)).toBeUndefined();
  });

  test("a large batch gets a response for each edit like a small one, even if it is stored in parts", async () => {
    const ring = (i: number) => Array.from({ length: 20_000 }, (_, k) => ((k * 7 + i) % 97) + 0.25);
    const edits: ReturnType<typeof creation>[] = Array.from({ length: 6 }, (_, i) => creation(small, [[ring(i)]]));
    const twice = edits[0]!;
    const bad = { ...creation(small, [[[1, 2, 3]]]), uuid: "not a uuid" };
    const { status, body } = await send([...edits, bad, twice]);
    expect(status).toBe(200);
    expect(body.answers.map((answer: { status: string }) => answer.status)).toEqual([
      ...edits.map(() => "applied"),
      "refused",
      "seen",
    ]);
    expect(body.answers[6].uuid).toBe("not a uuid");
    for (const { target, after } of edits)
      expect(await measuresOf(target)).toEqual(measure(after.rings as number[][][], 640, 480));
    const again = await send(edits);
    expect(again.body.answers.every((answer: { status: string }) => answer.status === "seen")).toBe(true);
  });

  test("a single call creates and changes an annotation with a heavy outline", async () => {
    const ring = zigzag(600, 9000, 9000);
    const made = await ada.post("annotation/", { image_id: large, category_id: category, segmentation: [ring] });
    expect(made.status).toBe(200);
    expect(made.body).toMatchObject(measure([[ring]], 9000, 9000));
    const other = zigzag(500, 9000, 9000);
    const changed = await ada.put(`annotation/${made.body.id}`, { segmentation: [other] });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject(measure([[other]], 9000, 9000));
    await ada.delete(`annotation/${made.body.id}`);
  });

  test("a single call accepts no larger body than an annotation can need, and refuses too many coordinates", async () => {
    const ring = Array.from({ length: 200_002 }, (_, i) => i % 400);
    const body = { image_id: small, category_id: category, segmentation: [ring] };
    expect((await ada.post("annotation/", body)).status).toBe(400);
    const huge = { ...body, segmentation: Array.from({ length: 10 }, () => ring.map((value) => value + 0.25)) };
    expect((await ada.post("annotation/", huge)).status).toBe(413);
    expect((await ada.put("annotation/1", huge)).status).toBe(413);
  });

  test("a large body that is invalid JSON, is nested too deep, or has too many values is refused like a small one", async () => {
    const post = (body: string) =>
      ada.post("annotator/edits", undefined, { body, headers: { "Content-Type": "application/json" } });
    expect((await post(`{"client": "heavy-shapes", "edits": [${" ".repeat(200_000)}`)).status).toBe(400);
    expect((await post("[".repeat(200_000))).status).toBe(400);
    expect((await post(`{"client": "heavy-shapes", "edits": [[${"1,".repeat(2_100_000)}1]]}`)).status).toBe(413);
    expect((await post(`{"client": "no", "edits": []${" ".repeat(200_000)}}`)).status).toBe(400);
  });

  test("a long outline is stored as it was sent, in the annotation and in its history, next to short ones", async () => {
    const long = (i: number) => [[Array.from({ length: 12_000 }, (_, k) => ((k * 11 + i) % 89) + 0.125)]];
    const edits = [
      creation(small, [[[1, 2, 30, 2, 30, 40]]]),
      creation(small, long(1)),
      creation(small, [[[5, 6, 30, 2, 30, 40]]]),
      creation(small, long(2)),
    ];
    const { body } = await send(edits);
    const changes = body.answers.map(({ revision }: { revision: number }, i: number) => ({
      ...{ uuid: randomUUID(), image_id: small, base: revision, subject: "annotation", target: edits[i]?.target },
      ...{ action: "modify", before: { rings: edits[i]?.after.rings }, after: { rings: long(i + 3) } },
    }));
    await send(changes);
    for (const [i, { target, after }] of edits.entries()) {
      const { shape } = await server.db
        .selectFrom("annotations")
        .select("shape")
        .where("uuid", "=", target)
        .executeTakeFirstOrThrow();
      expect(shape).toEqual({ rings: long(i + 3) });
      const history = await server.db
        .selectFrom("edit_history")
        .select("fields")
        .where("subject_id", "=", target)
        .orderBy("id")
        .execute();
      expect(history.map(({ fields }) => (fields as { rings: unknown }).rings)).toEqual([after.rings, long(i + 3)]);
    }
    const ids = body.answers.map(({ id }: { id: number }) => id);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
  });

  test("a long mask is written once, not rolled back and written again for its outline", async () => {
    const mask = (lit: number) => ({
      size: [480, 640],
      counts: compress([...Array.from({ length: 6_000 }, () => lit), 480 * 640 - 6_000 * lit]),
    });
    const post = async (segmentation: unknown): Promise<number> =>
      (await ada.post("annotation/", { image_id: small, category_id: category, segmentation })).body.id;
    const before = await post([[1, 1, 9, 1, 9, 9]]);
    const first = await post(mask(20));
    // A write that is rolled back uses up an id.
    expect(first).toBe(before + 1);
  });

  test("a mask whose outline is longer than any annotation's is returned as a mask alone", async () => {
    // A chessboard: two pixels of the same colour meet at the end of a column.
    const ones = (length: number) => Array.from({ length }, () => 1);
    const board = [...ones(479), ...Array.from({ length: 639 }, () => [2, ...ones(478)]).flat(), 1];
    const rle = { size: [480, 640], counts: compress(board) };
    const made = await ada.post("annotation/", { image_id: small, category_id: category, segmentation: rle });
    expect(made.status).toBe(200);
    expect(made.body).toMatchObject({ rle, rings: [], segmentation: [] });
    await ada.delete(`annotation/${made.body.id}`);
  });

  test("a long mask is returned as polygons that a thread has traced", async () => {
    const runs = Array.from({ length: 5_000 }, (_, i) => (i % 2 ? 7 : 11));
    const rle = { size: [480, 640], counts: compress([...runs, 640 * 480 - 45_000]) };
    const made = await ada.post("annotation/", { image_id: small, category_id: category, segmentation: rle });
    const { body } = await ada.get(`image/${small}/coco?segmentation=polygon`);
    const out = body.annotations.find(({ id }: { id: number }) => id === made.body.id);
    const outer = traceRuns([...runs, 640 * 480 - 45_000], 640, 480);
    expect(out.segmentation).toHaveLength(outer.length);
    expect(
      measure(
        out.segmentation.map((ring: number[]) => [ring]),
        640,
        480,
      ),
    ).toMatchObject({ area: made.body.area });
  });

  test("an import measures a heavy outline without area and box", async () => {
    const ring = zigzag(450, 9000, 9000);
    const annotation = { id: 1, image_id: 1, category_id: 1, segmentation: [ring], iscrowd: 0 };
    const file = {
      images: [{ id: 1, file_name: "large.png", width: 9000, height: 9000 }],
      categories: [{ id: 1, name: "heavy" }],
      annotations: [annotation],
    };
    const { row, importId } = await importFile(server, ada, datasetId, file);
    expect(row.state).toBe("done");
    const rows = await server.db
      .selectFrom("annotations")
      .select(["area", "bbox"])
      .where("import_id", "=", importId)
      .execute();
    expect(rows).toEqual([measure([[ring]], 9000, 9000)]);
  });
});
