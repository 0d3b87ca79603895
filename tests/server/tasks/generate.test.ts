import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { taskKinds } from "../../../server/tasks";
import { openEither, type TestDatabase } from "../../support/databases";
import { upright } from "../../support/images";
import { type OpenverseServer, startOpenverseServer } from "../../support/openverseServer";
import { runTask } from "../../support/runTask";
import { startServer, type TestServer, type TestUser } from "../../support/server";

describe("generating images", () => {
  let database: TestDatabase;
  let openverse: OpenverseServer;
  let server: TestServer;
  let ann: TestUser;
  let datasetId: number;
  let number = 0;
  let bytes: Buffer[];

  beforeAll(async () => {
    database = await openEither();
    openverse = await startOpenverseServer();
    server = await startServer(database, { env: { GENERATE_PROVIDER_URL: openverse.url } });
    ann = await server.user("ann");
    bytes = await Promise.all(
      Array.from({ length: 25 }, (_, n) =>
        upright(n + 1)
          .png()
          .toBuffer(),
      ),
    );
  });
  afterAll(async () => {
    await openverse.close();
    await server.close();
    await database.close();
  });
  beforeEach(async () => {
    datasetId = (await ann.post("dataset/", { name: `set ${++number}` })).body.id;
    openverse.onSearch = undefined;
    openverse.asked = [];
    openverse.files = Object.fromEntries(bytes.map((file, n) => [`/${n}.png`, file]));
    openverse.found = bytes.map((_, n) => found(n));
  });

  /** Returns an item as in the search's documentation. */
  const found = (n: number, url = `${openverse.origin}/${n}.png`) => ({
    id: `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`,
    title: `Image ${n}`,
    foreign_landing_url: `https://example.org/photos/${n}`,
    url,
    creator: "Ada L.",
    creator_url: null,
    license: "by-sa",
    license_version: "2.0",
    license_url: "https://creativecommons.org/licenses/by-sa/2.0/",
    provider: "flickr",
    source: "flickr",
    filetype: null,
    tags: [],
  });
  const start = (keywords: unknown = "red cat", limit?: unknown) =>
    ann.post(`dataset/${datasetId}/generate`, { keywords, limit });
  async function generate(keywords?: unknown, limit?: unknown) {
    const { status, body, text } = await start(keywords, limit);
    expect(status, text).toBe(200);
    return runTask(server.db, taskKinds, server.services, body.id);
  }
  const images = () =>
    server.db.selectFrom("images").selectAll().where("dataset_id", "=", datasetId).orderBy("path").execute();

  it("adds the images that the search finds, over several pages, with license, creator and source", async () => {
    const { row, log } = await generate("red cat", 23);
    expect([row.state, row.warnings, row.errors]).toEqual(["done", 0, 0]);
    const rows = await images();
    expect(rows).toHaveLength(23);
    expect(rows[3]).toMatchObject({
      path: "red cat/00000000-0000-4000-8000-000000000003.png",
      width: 160,
      metadata: {
        title: "Image 3",
        creator: "Ada L.",
        license: "by-sa 2.0",
        license_url: "https://creativecommons.org/licenses/by-sa/2.0/",
        source: "flickr",
        source_url: `${openverse.origin}/3.png`,
        foreign_landing_url: "https://example.org/photos/3",
        source_id: "00000000-0000-4000-8000-000000000003",
      },
    });
    expect(openverse.asked[0]).toBe("/v1/images/?q=red+cat&page_size=20&page=1");
    expect(log.at(-1)).toBe("INFO Created 23 new image(s); 0 already existed, 0 could not be fetched.");
    expect(existsSync(join(server.env.DATASETS_DIR, `set ${number}`, rows[0]?.path ?? "?"))).toBe(true);
  });

  it("adds no image twice: neither by a repeat, nor by another keyword, nor one in the trash", async () => {
    await generate("cat", 4);
    const before = await images();
    await ann.delete(`image/${before[0]?.id}`);
    const again = await generate("cat", 4);
    const other = await generate("dog", 4);
    expect(again.row.result).toEqual({ added: 0, known: 4, failed: 0 });
    expect(other.row.result).toEqual({ added: 0, known: 4, failed: 0 });
    expect((await images()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  });

  it("continues after a kill, and records the origin of an image that was interrupted before", async () => {
    await generate("cat", 2);
    await server.db.updateTable("images").set({ metadata: "{}" }).where("dataset_id", "=", datasetId).execute();
    const { row } = await generate("cat", 5);
    expect(row.result).toEqual({ added: 3, known: 2, failed: 0 });
    for (const { metadata } of await images()) expect(metadata).toMatchObject({ license: "by-sa 2.0" });
  });

  it("reports each image that cannot be downloaded, and adds others instead", async () => {
    openverse.found = [
      found(0, `${openverse.origin}/gone.png`),
      found(1, `${openverse.origin}/page.jpg`),
      found(2, `${openverse.origin}/huge.png`),
      found(3, `${openverse.origin}/cut.png`),
      found(4, `${openverse.origin}/loop`),
      found(5, "file:///etc/passwd"),
      found(6, "http://169.254.169.254/latest/meta-data/"),
      found(7, "http://[::ffff:127.0.0.1]/x.png"),
      found(8, `${openverse.origin}/inside`),
      found(9, "not an address"),
      found(10, `${openverse.origin}/endless.png`),
      { ...found(11), id: "../../../etc/x" },
      { title: "nothing" },
      7 as never,
      ...openverse.found.slice(12),
    ];
    Object.assign(openverse.files, {
      "/page.jpg": (response) => response.writeHead(200, { "Content-Type": "image/jpeg" }).end("<html>no</html>"),
      "/huge.png": (response) => response.writeHead(200, { "Content-Length": 200_000_000 }).write("x"),
      "/cut.png": (response) => {
        response.writeHead(200, { "Content-Length": 1000 }).write(bytes[1]?.subarray(0, 50));
        setTimeout(() => response.destroy(), 50);
      },
      "/loop": (response) => response.writeHead(302, { Location: "/loop" }).end(),
      "/inside": (response) =>
        response.writeHead(302, { Location: `${openverse.origin.replace("127.0.0.1", "localhost")}/1.png` }).end(),
      "/endless.png": (response) => {
        response.writeHead(200);
        const piece = Buffer.alloc(1_000_000);
        const more = () => {
          while (!response.destroyed && response.write(piece));
        };
        response.on("drain", more);
        more();
      },
    } satisfies OpenverseServer["files"]);
    const { row, log } = await generate("cat", 3);
    expect(row.result).toEqual({ added: 3, known: 0, failed: 11 });
    expect(log.filter((line) => line.startsWith("WARNING"))).toHaveLength(11);
    const all = log.join("\n");
    for (const reason of [
      "its server responded with status 404",
      "it is a web page",
      "it is larger than 100 MB",
      "the response was cut off",
      "too many redirects",
      "neither http nor https",
      "169.254.169.254 is not on the public internet",
      "::ffff:7f00:1 is not on the public internet",
      "localhost is not on the public internet",
      "its address cannot be read",
    ])
      expect(all).toContain(reason);
    expect((await images()).every(({ path }) => /^cat\/[\w-]+\.png$/.test(path))).toBe(true);
  });

  it("waits when asked to, and fails with one clear line if the search responds unexpectedly", async () => {
    openverse.onSearch = (_, response, times) => {
      if (times === 1) return response.writeHead(429, { "Retry-After": "1" }).end("{}");
      if (times === 2) return response.writeHead(503).end();
      response.end(JSON.stringify({ results: openverse.found.slice(0, 1), page_count: 1 }));
    };
    const waited = await generate("cat", 1);
    expect(waited.row.result).toEqual({ added: 1, known: 0, failed: 0 });
    expect(waited.log.join()).toContain("responded with status 429; retrying in 1 s");

    const host = new URL(openverse.url).host;
    const answers: [string, NonNullable<OpenverseServer["onSearch"]>][] = [
      [`${host} refused the request (status 401): it requires a key.`, (_, to) => to.writeHead(401).end("{}")],
      [`It allows a retry in 86400 s.`, (_, to) => to.writeHead(429, { "Retry-After": "86400" }).end()],
      [`${host} did not respond like Openverse's image search.`, (_, to) => to.end("<html>")],
      [`${host} did not respond like Openverse's image search.`, (_, to) => to.end('{"results": 5}')],
      [`The response of ${host} cannot be read: it is larger than 5 MB.`, (_, to) => to.end(Buffer.alloc(6_000_000))],
      ["cannot be reached", (request) => request.socket.destroy()],
    ];
    for (const [line, onSearch] of answers) {
      openverse.onSearch = onSearch;
      const { row, log } = await generate("cat", 1);
      expect([row.state, log.at(-1)]).toEqual(["failed", expect.stringContaining(line)]);
    }
  });

  it("continues searching at once when the clock is set back by an hour", async () => {
    openverse.onSearch = (_, response, times) => {
      const real = Date.now();
      if (times === 1) vi.spyOn(Date, "now").mockImplementation(() => real - 3_600_000);
      response.end(JSON.stringify({ results: openverse.found.slice(times - 1, times), page_count: 2 }));
    };
    const { row } = await generate("cat", 2).finally(() => vi.restoreAllMocks());
    expect(row.result).toEqual({ added: 2, known: 0, failed: 0 });
  });

  it("fails with one clear line without internet access, once and for good", async () => {
    const away = { ...server.services, env: { ...server.env, GENERATE_PROVIDER_URL: "http://127.0.0.1:9/" } };
    const { body } = await start("cat", 1);
    const { row, log } = await runTask(server.db, taskKinds, away, body.id);
    expect([row.state, row.attempts]).toEqual(["failed", 1]);
    expect(log.at(-1)).toBe(
      "ERROR The image search at 127.0.0.1:9 is not available: 127.0.0.1 cannot be reached (ECONNREFUSED). Does this server have internet access?",
    );
  });

  it("stops when it is cancelled, and keeps the images that it has added", async () => {
    openverse.files["/5.png"] = () => undefined;
    const { body } = await start("cat", 20);
    const ended = runTask(server.db, taskKinds, server.services, body.id);
    await expect.poll(async () => (await images()).length).toBeGreaterThan(3);
    await ann.post(`tasks/${body.id}/cancel`);
    expect((await ended).row.state).toBe("cancelled");
    expect((await images()).length).toBeLessThan(20);
  });

  it("accepts a keyword or a list of them, and refuses anything else", async () => {
    const bad = ["", "  ", [], ["a", ""], 5, null, "x".repeat(201), "a\0b", Array.from({ length: 11 }, () => "a")];
    for (const keywords of bad) expect((await start(keywords)).status, JSON.stringify(keywords)).toBe(400);
    for (const limit of [0, -1, 1001, 1.5, "many"]) expect((await start("cat", limit)).status).toBe(400);
    const two = await generate(["a/b", "..", "con"], 1);
    expect(two.row.result).toEqual({ added: 1, known: 2, failed: 0 });
    expect((await images()).map(({ folder }) => folder)).toEqual(["a_b/"]);
    const { body } = await start();
    const { payload } = await server.db
      .selectFrom("tasks")
      .selectAll()
      .where("id", "=", body.id)
      .executeTakeFirstOrThrow();
    expect(payload).toEqual({ dataset_id: datasetId, keywords: ["red cat"], limit: 100 });
    expect((await start()).body.id).toBe(body.id);
  });
});
