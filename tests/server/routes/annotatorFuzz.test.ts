import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeOnDatabases } from "../../support/databases";
import { seedCategory, seedDataset, seedImage } from "../../support/factories";
import { startServer, type TestServer, type TestUser } from "../../support/server";

/** Valid bodies with one or two random values. */
describeOnDatabases("random input to the annotator's calls", (open) => {
  let server: TestServer;
  let ann: TestUser;
  let imageId: number;
  let categoryId: number;
  beforeAll(async () => {
    server = await startServer(await open());
    ann = await server.user("ann");
    categoryId = await seedCategory(server.db, ann.id);
    const datasetId = await seedDataset(server.db, { ownerId: ann.id, categories: [categoryId] });
    imageId = await seedImage(server.db, datasetId);
  });
  afterAll(() => server.close());

  const anything = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom<unknown>(
      ...[
        null,
        -1,
        0,
        0.5,
        1e9,
        2 ** 31,
        2 ** 53,
        1e308,
        -1e308,
        "",
        "\u0000",
        "\ud800",
        "__proto__",
        [],
        {},
        [[]],
        [[[]]],
      ],
      ...["1", "true", "#12345g", randomUUID(), [null], [[[1, 2]]], { "": "" }, "x".repeat(10_000)],
    ),
  );

  /** Returns all places in a value, as paths. */
  const placesIn = (value: unknown, path: string[] = []): string[][] =>
    typeof value !== "object" || value === null
      ? [path]
      : [path, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...path, key]))];

  function withAt(value: unknown, [key, ...rest]: string[], put: unknown): unknown {
    if (key === undefined) return put;
    const copy: unknown = Array.isArray(value) ? [...value] : { ...(value as object) };
    const holder = copy as Record<string, unknown>;
    holder[key] = withAt(holder[key], rest, put);
    return copy;
  }

  const spoiled = (body: object) =>
    fc
      .array(fc.tuple(fc.constantFrom(...placesIn(body).slice(1)), anything), { minLength: 1, maxLength: 2 })
      .map((changes) =>
        changes.reduce<unknown>((value, [path, put]) => {
          try {
            return withAt(value, path, put);
          } catch {
            return value;
          }
        }, body),
      );

  const uuid = "00000000-0000-4000-8000-000000000001";
  const keypoints = [{ label: 1, x: 1, y: 1, v: 2 }];
  const ring = [1, 1, 9, 1, 9, 9];
  const edit = (subject: string, more: object) => ({ uuid, image_id: 1, base: 0, subject, before: {}, ...more });
  const batch = () => ({
    client: "tab-of-ann",
    edits: [
      edit("annotation", {
        image_id: imageId,
        target: uuid,
        action: "create",
        after: {
          category_id: categoryId,
          rings: [[ring]],
          isbbox: false,
          color: "#000000",
          metadata: { a: 1 },
          keypoints,
        },
      }),
      edit("image", { image_id: imageId, action: "modify", after: { labels: [categoryId], metadata: { a: [1] } } }),
      edit("category", {
        image_id: imageId,
        action: "modify",
        target: categoryId,
        after: { color: "#000000", keypoint_labels: ["a"], keypoint_edges: [[1, 1]], keypoint_colors: ["#000000"] },
      }),
    ],
    sessions: [{ uuid, image_id: imageId, annotation_uuid: uuid, start: 1, milliseconds: 1, tools: ["a"] }],
    preferences: { a: 1 },
  });
  const state = (annotationId: number) => ({
    mode: "label",
    user: { a: 1 },
    dataset: { annotate_url: "" },
    image: { id: imageId, metadata: { a: 1 }, category_ids: [categoryId] },
    categories: [
      {
        id: categoryId,
        color: "#000000",
        keypoint_labels: ["a"],
        keypoint_edges: [[1, 1]],
        keypoint_colors: ["#000000"],
        annotations: [
          {
            id: annotationId,
            isbbox: false,
            color: "#000000",
            metadata: { a: 1 },
            keypoints: [1, 1, 2],
            compoundPath: [
              "CompoundPath",
              {
                children: [
                  [
                    "Path",
                    {
                      closed: true,
                      segments: [
                        [1, 1],
                        [9, 1],
                        [9, 9],
                      ],
                    },
                  ],
                ],
              },
            ],
            sessions: [{ start: 1, milliseconds: 1, tools: ["a"] }],
          },
        ],
      },
    ],
  });
  const posted = () => ({
    image_id: imageId,
    category_id: categoryId,
    segmentation: [ring],
    rings: [[ring]],
    keypoints: [1, 1, 2],
    isbbox: false,
    iscrowd: 0,
    bbox: [1, 1, 2, 2],
    color: "#000000",
    metadata: { a: 1 },
  });

  const isClear = (status: number, body: { message?: string }) =>
    status === 200 || (status >= 400 && status < 500 && typeof body.message === "string" && body.message !== "");

  test("a batch gets a response for each edit or a clear refusal, and the image stays readable", async () => {
    await fc.assert(
      fc.asyncProperty(spoiled(batch()), async (body) => {
        const { status, body: answer, text } = await ann.post("annotator/edits", fresh(body));
        expect(isClear(status, answer), text).toBe(true);
        if (status === 200)
          for (const each of answer.answers) expect(["applied", "seen", "conflict", "refused"]).toContain(each.status);
        expect((await ann.get(`annotator/data/${imageId}?shape=rings`)).status).toBe(200);
      }),
      { numRuns: 60 },
    );
  });

  test("a whole state is saved or clearly refused, and the image stays readable", async () => {
    const { id } = (await ann.post("annotation/", { image_id: imageId, category_id: categoryId })).body;
    await fc.assert(
      fc.asyncProperty(spoiled(state(id)), async (body) => {
        const { status, body: answer, text } = await ann.post("annotator/data", body);
        expect(isClear(status, answer), text).toBe(true);
        expect((await ann.get(`annotator/data/${imageId}`)).status).toBe(200);
      }),
      { numRuns: 60 },
    );
  });

  test("an annotation is created and changed or clearly refused", async () => {
    const { id } = (await ann.post("annotation/", { image_id: imageId, category_id: categoryId })).body;
    await fc.assert(
      fc.asyncProperty(spoiled(posted()), async (body) => {
        for (const answer of [await ann.post("annotation/", body), await ann.put(`annotation/${id}`, body)])
          expect(isClear(answer.status, answer.body), answer.text).toBe(true);
        expect((await ann.get(`annotation/${id}`)).status).toBe(200);
      }),
      { numRuns: 60 },
    );
  });

  /** Replaces intact uuids by new ones, so that no edit is a repeat. */
  function fresh(value: unknown): unknown {
    return JSON.parse(JSON.stringify(value).replaceAll(uuid, randomUUID()));
  }
});
