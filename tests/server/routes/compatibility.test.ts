import { afterAll, beforeAll, expect, test } from "vitest";
import { describeOnDatabases } from "../../support/databases";
import { seedAnnotation, seedCategory, seedDataset, seedImage } from "../../support/factories";
import { startServer, type TestServer, type TestUser } from "../../support/server";

/**
 * Names and types that scripts for COCO Annotator read in plain lists and single documents. See docs/compatibility.md.
 */
describeOnDatabases("older scripts", (open) => {
  let server: TestServer;
  let ann: TestUser;
  let dataset: number;
  let category: number;
  const images: number[] = [];
  let annotation: number;
  beforeAll(async () => {
    server = await startServer(await open());
    ann = await server.user("ann");
    category = await seedCategory(server.db, ann.id, "car");
    dataset = await seedDataset(server.db, { name: "street", ownerId: ann.id, categories: [category] });
    for (const name of ["a.jpg", "b.jpg", "c.jpg"]) images.push(await seedImage(server.db, dataset, name));
    annotation = await seedAnnotation(server.db, images[0] ?? 0, category);
    await server.db
      .insertInto("tasks")
      .values({ kind: "scan", name: "scan", key: "scan", state: "done", creator_id: ann.id, dataset_id: dataset })
      .execute();
  });
  afterAll(() => server.close());

  const text = expect.any(String);
  const number = expect.any(Number);
  const list = expect.any(Array);
  const object = expect.any(Object);

  const DATASET = {
    id: number,
    name: "street",
    directory: text,
    owner: "ann",
    users: [],
    categories: list,
    annotate_url: "",
    default_annotation_metadata: {},
  };

  test("datasets are a bare array, and one is found by its id", async () => {
    expect((await ann.get("dataset/")).body).toMatchObject([DATASET]);
    const one = (await ann.get(`dataset/${dataset}`)).body;
    const may = { owner: true, edit: true, share: true, generate: true, delete: true, download: true };
    expect(one).toMatchObject({ ...DATASET, id: dataset, categories: [category], permissions: may });
  });

  test("categories are a bare array, and one is found by its id", async () => {
    const document = {
      id: category,
      name: "car",
      supercategory: "",
      color: text,
      metadata: {},
      creator: text,
      keypoint_edges: [],
      keypoint_labels: [],
      keypoint_colors: [],
    };
    expect((await ann.get("category/")).body).toMatchObject([document]);
    expect((await ann.get(`category/${category}`)).body).toMatchObject(document);
  });

  test("images are a page with its counts, and the dataset's page has the fields of cards", async () => {
    const page = (await ann.get("image/?page=1&per_page=2&fields=id,file_name,dataset_id")).body;
    expect(page).toMatchObject({ total: 3, page: 0, per_page: 2, fields: ["id", "file_name", "dataset_id"] });
    expect(page.images).toEqual(
      ["a.jpg", "b.jpg"].map((file_name, i) => ({ id: images[i], file_name, dataset_id: dataset })),
    );
    const data = (await ann.get(`dataset/${dataset}/data?limit=2`)).body;
    expect(data).toMatchObject({ total: 3, page: 0, per_page: 2, folder: "", directory: text, time_ms: number });
    expect(data).toMatchObject({ dataset: DATASET, categories: [{ id: category, name: "car" }], subdirectories: [] });
    expect(data.images[0]).toMatchObject({
      id: images[0],
      file_name: "a.jpg",
      annotating: [],
      annotated: expect.any(Boolean),
      num_annotations: number,
    });
  });

  test("annotations are a bare array, and one is found by its id", async () => {
    const document = {
      id: annotation,
      image_id: images[0],
      category_id: category,
      dataset_id: dataset,
      segmentation: list,
      area: number,
      bbox: list,
      iscrowd: false,
      isbbox: false,
      creator: text,
      width: 640,
      height: 480,
      color: text,
      keypoints: list,
      metadata: object,
      milliseconds: number,
      events: [],
    };
    expect((await ann.get("annotation/")).body).toMatchObject([document]);
    expect((await ann.get(`annotation/${annotation}`)).body).toMatchObject(document);
  });

  test("pages are counted from one in requests, and from zero in the responses of three lists", async () => {
    const root = await server.user("root", { admin: true });
    for (const [client, path] of [
      [ann, `dataset/${dataset}/data?limit=2`],
      [ann, "image/?per_page=2"],
      [root, "admin/users?limit=1"],
    ] as const) {
      expect((await client.get(path)).body.page, path).toBe(0);
      expect((await client.get(`${path}&page=2`)).body.page, path).toBe(1);
    }
    for (const path of ["dataset/data", "category/data"]) {
      const { pagination } = (await ann.get(path)).body;
      expect(Object.keys(pagination).sort()).toEqual(["end", "page", "pages", "showing", "start", "total"]);
      expect(pagination).toMatchObject({ page: 1, pages: 1, start: 0, end: 1, total: 1, showing: 1 });
    }
  });

  test("cards of datasets and categories contain their counts", async () => {
    const cards = (await ann.get("dataset/data?page=1&limit=20&folder=")).body;
    const counts = { numberImages: 3, numberAnnotated: number, first_image_id: images[0] };
    expect(cards).toMatchObject({ folder: "", datasets: [{ ...DATASET, ...counts }], categories: [{ id: category }] });
    const categories = (await ann.get("category/data?page=1&limit=20")).body;
    expect(categories).toMatchObject({ page: 1, categories: [{ id: category, numberAnnotations: number }] });
  });

  test("tasks are a bare array, and have a log", async () => {
    const [task] = (await ann.get("tasks/")).body;
    const document = { group: "Directory Image Scan", name: "scan", completed: true, progress: number };
    expect(task).toMatchObject({ ...document, errors: 0, warnings: 0 });
    expect((await ann.get(`tasks/${task.id}/logs`)).body).toEqual({ logs: [] });
  });

  test("errors have a message, and reasons by field", async () => {
    const missing = await ann.post("annotation/", { category_id: category });
    expect(missing.status).toBe(400);
    expect(missing.body).toEqual({ message: "Input payload validation failed", errors: { image_id: text } });
    expect((await server.visitor().get("dataset/")).body).toEqual({ message: "Authorization required" });
  });

  test("true and false may be written as Python writes them", async () => {
    for (const value of ["True", "False", "true", "0", "", "%20"])
      expect((await ann.get(`dataset/${dataset}/data?annotated=${value}`)).status).toBe(200);
    expect((await ann.get(`dataset/${dataset}/data?annotated=maybe`)).status).toBe(400);
  });
});
