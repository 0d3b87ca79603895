import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { upright } from "../../support/images";
import { type LiveServer, startLiveServer } from "../../support/liveServer";
import { type OpenverseServer, startOpenverseServer } from "../../support/openverseServer";
import { TestClient } from "../../support/testClient";

/** Numbers of images found, and of those before the kill. */
const FOUND = 12;
const BEFORE = 5;

let openverse: OpenverseServer;
let server: LiveServer;
let ann: TestClient;

beforeAll(async () => {
  openverse = await startOpenverseServer();
  server = await startLiveServer({ GENERATE_PROVIDER_URL: openverse.url });
  ann = new TestClient(server.url);
  expect((await ann.post("user/register", { username: "ann", password: "secret" })).status).toBe(200);
});
afterAll(async () => {
  await server?.remove();
  await openverse?.close();
});

it("a server that is killed while it generates continues and adds each image once, with its origin", async () => {
  const bytes = await Promise.all(
    Array.from({ length: FOUND }, (_, n) =>
      upright(n + 1)
        .png()
        .toBuffer(),
    ),
  );
  openverse.found = bytes.map((_, n) => ({
    id: `image-${n}`,
    url: `${openverse.origin}/${n}.png`,
    license: "by",
    creator: `Ada ${n}`,
  }));
  // The later downloads start, and never end.
  openverse.files = Object.fromEntries(
    bytes.map((file, n) => [
      `/${n}.png`,
      n < BEFORE ? file : (response) => void response.writeHead(200).write(file.subarray(0, 40)),
    ]),
  );
  const { body: dataset } = await ann.post("dataset/", { name: "Cats" });
  const { body: task } = await ann.post(`dataset/${dataset.id}/generate`, { keywords: ["cat"], limit: FOUND });
  const images = async () => (await ann.get("image/?fields=id,file_name,metadata")).body.images;
  const isOver = async () => {
    const { state } = (await ann.get("tasks/")).body.find(({ id }: { id: number }) => id === task.id);
    return !["queued", "running"].includes(state);
  };
  await expect.poll(async () => (await images()).length).toBe(BEFORE);
  await expect.poll(() => openverse.asked).toContain(`/${BEFORE}.png`);
  const before = await images();
  await server.kill();

  openverse.files = Object.fromEntries(bytes.map((file, n) => [`/${n}.png`, file]));
  openverse.asked = [];
  await server.start();
  await expect.poll(isOver).toBe(true);
  const [{ state, result, errors }] = (await ann.get("tasks/")).body;
  expect([state, result, errors]).toEqual(["done", { added: FOUND - BEFORE, known: BEFORE, failed: 0 }, 0]);
  const after = await images();
  expect(after).toHaveLength(FOUND);
  expect(after).toEqual(expect.arrayContaining(before));
  for (const { file_name, metadata } of after)
    expect(metadata).toMatchObject({ source_id: file_name.replace(".png", ""), license: "by" });
  // Stored files are not fetched again, and the partial one is gone.
  for (let n = 0; n < BEFORE; n++) expect(openverse.asked).not.toContain(`/${n}.png`);
  expect(readdirSync(join(server.dataDir, "datasets", "Cats", "cat"))).toHaveLength(FOUND);
  const tmp = join(server.dataDir, "tmp");
  expect(existsSync(tmp) ? readdirSync(tmp) : []).toEqual([]);
});
