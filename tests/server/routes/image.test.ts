import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeOnDatabases } from "../../support/databases";
import { seedAnnotation, seedCategory } from "../../support/factories";
import {
  badImages,
  CORNERS,
  goodImages,
  jpegWithOrientation,
  readCorners,
  upright,
  writeFiles,
} from "../../support/images";
import { startServer, type TestServer, type TestUser } from "../../support/server";

describeOnDatabases("images over HTTP", (open) => {
  let server: TestServer;
  let ann: TestUser;
  let eve: TestUser;
  let datasetId: number;
  const inFolder = (path: string) => join(server.env.DATASETS_DIR, "cats", path);

  beforeAll(async () => {
    server = await startServer(await open());
    ann = await server.user("ann");
    eve = await server.user("eve");
    datasetId = (await ann.post("dataset/", { name: "cats" })).body.id;
  });
  afterAll(() => server.close());

  function form(bytes: Buffer, name: string, fields: Record<string, string> = {}): FormData {
    const body = new FormData();
    for (const [key, value] of Object.entries({ dataset_id: String(datasetId), ...fields })) body.set(key, value);
    body.set("image", new Blob([new Uint8Array(bytes)]), name);
    return body;
  }
  const upload = (bytes: Buffer, name: string, fields?: Record<string, string>, by = ann) =>
    by.request("POST", "image/", { body: form(bytes, name, fields) });
  async function add(bytes: Buffer, name: string): Promise<number> {
    const { status, body, text } = await upload(bytes, name);
    if (status !== 200) throw new Error(text);
    return body;
  }
  async function fetched(id: number, query = "", headers: Record<string, string> = {}) {
    const answer = await ann.fetch("GET", `image/${id}${query}`, { headers });
    return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
  }

  it("stores an upload in a folder, byte for byte, and returns the bare id", async () => {
    const bytes = await upright().png().toBuffer();
    const { status, body } = await upload(bytes, "a.png", { folder: "/sub//folder/" });
    expect([status, typeof body]).toEqual([200, "number"]);
    expect(readFileSync(inFolder("sub/folder/a.png"))).toEqual(bytes);
    const row = await server.db.selectFrom("images").selectAll().where("id", "=", body).executeTakeFirst();
    expect(row).toMatchObject({
      path: "sub/folder/a.png",
      folder: "sub/folder/",
      file_name: "a.png",
      width: 40,
      height: 20,
    });
    expect((await fetched(body)).bytes).toEqual(bytes);
  });

  it("returns the same id for the same upload, also for several at once", async () => {
    const bytes = await upright(2).png().toBuffer();
    const answers = await Promise.all(Array.from({ length: 6 }, () => upload(bytes, "again.png")));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
  });

  it("accepts an upload as Python's requests sends it, without content types", async () => {
    const bytes = await upright().png().toBuffer();
    const part = (disposition: string) => `--xx\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`;
    const head = `${part('name="dataset_id"')}${datasetId}\r\n${part('name="image"; filename="requests.png"')}`;
    const body = new Uint8Array(Buffer.concat([Buffer.from(head), bytes, Buffer.from("\r\n--xx--\r\n")]));
    const headers = { "Content-Type": "multipart/form-data; boundary=xx" };
    const { status, body: id } = await ann.request("POST", "image/", { body, headers });
    expect(status).toBe(200);
    expect((await fetched(id)).bytes).toEqual(bytes);
  });

  it("accepts the dataset's id from the query too, and requires it", async () => {
    const body = new FormData();
    body.set("image", new Blob([new Uint8Array(await upright().png().toBuffer())]), "query.png");
    expect((await ann.request("POST", `image/?dataset_id=${datasetId}`, { body })).status).toBe(200);
    const without = await ann.request("POST", "image/", { body });
    expect([without.status, without.body.errors]).toEqual([400, { dataset_id: "Required" }]);
  });

  it("refuses another image of the same name, other datasets, and files that are not images", async () => {
    await add(await upright(2).png().toBuffer(), "taken.png");
    const other = await upload(await upright(3).png().toBuffer(), "taken.png");
    expect([other.status, other.body.message]).toEqual([409, "file already exists"]);
    expect(readFileSync(inFolder("taken.png"))).toEqual(await upright(2).png().toBuffer());
    const absent = await upload(await upright().png().toBuffer(), "x.png", { dataset_id: "999999" });
    expect([absent.status, absent.body.message]).toEqual([404, "dataset does not exist"]);
    const strange = await upload(await upright().png().toBuffer(), "x.png", {}, eve);
    expect([strange.status, strange.body.message]).toEqual([404, "dataset does not exist"]);
    for (const [name, bytes] of Object.entries(await badImages())) {
      const bad = await upload(bytes, name);
      expect([name, bad.status]).toEqual([name, 400]);
      expect(existsSync(inFolder(name))).toBe(false);
    }
  });

  it("lets no path lead out of the dataset", async () => {
    const bytes = await upright().png().toBuffer();
    for (const folder of [
      "..",
      "../dogs",
      "a/../../..",
      "..\\x",
      "C:\\x",
      "a\u0000b",
      ".hidden",
      "con",
      "x. ",
      "x".repeat(300),
    ]) {
      const { status } = await upload(bytes, "p.png", { folder });
      expect([folder, status]).toEqual([folder, 400]);
    }
    for (const name of ["..", ".", "", ".htaccess", "nul.png", "a\u202egnp.exe", "a\tb.png", "\u200fa.png"]) {
      const { status } = await upload(bytes, name);
      expect([name, status]).toEqual([name, 400]);
    }
    const { body } = await upload(bytes, "../../../etc/passwd.png");
    const row = await server.db.selectFrom("images").select("path").where("id", "=", body).executeTakeFirst();
    expect(row?.path).toBe("passwd.png");
  });

  it("restores an image from the trash when it is uploaded again", async () => {
    const bytes = await upright(4).png().toBuffer();
    const id = await add(bytes, "trashed.png");
    expect((await ann.delete(`image/${id}`)).body).toEqual({ success: true });
    expect((await ann.get(`image/${id}`)).status).toBe(404);
    expect((await ann.delete(`image/${id}`)).status).toBe(404);
    expect((await upload(await upright(5).png().toBuffer(), "trashed.png")).status).toBe(409);
    expect(await add(bytes, "trashed.png")).toBe(id);
    expect((await ann.get(`image/${id}`)).status).toBe(200);
  });

  it("sends stored files that browsers show upright and in the server's colours, and PNGs for the others", async () => {
    const good = await goodImages();
    for (const [name, bytes] of Object.entries(good)) {
      const { answer, bytes: sent } = await fetched(await add(bytes, `kinds ${name}`));
      const isStored = !/tiff|bmp|cmyk|animated/.test(name);
      expect([name, answer.status, sent.equals(bytes)]).toEqual([name, 200, isStored]);
      if (!isStored) expect(answer.headers.get("content-type")).toBe("image/png");
      if (!isStored) expect(await readCorners(sent)).toEqual({ width: 40, height: 20, corners: [...CORNERS] });
    }
  });

  it("keeps all eight EXIF orientations upright and agrees on their size", async () => {
    for (let orientation = 1; orientation <= 8; orientation++) {
      const bytes = await jpegWithOrientation(orientation, 10);
      const id = await add(bytes, `exif ${orientation}.jpg`);
      const { body } = await ann.get(`dataset/${datasetId}/data?file_name__icontains=exif ${orientation}`);
      expect(body.images[0]).toMatchObject({ id, width: 400, height: 200 });
      expect((await fetched(id)).bytes).toEqual(bytes);
      const { answer, bytes: small } = await fetched(id, "?width=250&thumbnail=true");
      expect(answer.headers.get("content-type")).toBe("image/jpeg");
      expect(await readCorners(small)).toEqual({ width: 250, height: 125, corners: [...CORNERS] });
    }
  });

  it("returns smaller images, never larger ones, and 400 for invalid sizes", async () => {
    const id = await add(await upright(20).png().toBuffer(), "size.png");
    const size = async (query: string) => {
      const { width, height } = await readCorners((await fetched(id, query)).bytes);
      return [width, height];
    };
    expect(await size("?thumbnail=true")).toEqual([250, 125]);
    expect(await size("?width=100")).toEqual([100, 50]);
    expect(await size("?height=100")).toEqual([200, 100]);
    expect(await size("?width=100&height=10")).toEqual([20, 10]);
    expect(await size("?width=100000")).toEqual([800, 400]);
    for (const bad of ["width=0", "width=-1", "width=1.5", "width=x", "width=1e9", "height=1000000", "thumbnail=maybe"])
      expect([bad, (await ann.get(`image/${id}?${bad}`)).status]).toEqual([bad, 400]);
    for (const bad of ["x", "-1", "0", "1.5", "99999999999999", "1;drop"])
      expect([bad, (await ann.get(`image/${bad}`)).status]).toEqual([bad, 404]);
  });

  it("protects the browser from the content of a file", async () => {
    const id = await add(await upright().png().toBuffer(), 'a"猫;.png');
    const { answer } = await fetched(id);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      "content-security-policy": "default-src 'none'; sandbox",
      "cache-control": "private, no-cache",
    });
    expect(answer.headers.get("content-disposition")).toMatch(/^inline; filename=/);
    const download = await fetched(id, "?asAttachment=true");
    expect(download.answer.headers.get("content-disposition")).toMatch(
      /^attachment; .*filename\*=UTF-8''a%22%E7%8C%AB%3B\.png$/,
    );
  });

  it("sends no control character or direction mark in a file's name, also for files stored earlier", async () => {
    const id = await add(await upright().png().toBuffer(), "stored.png");
    const file_name = "a\r\nSet-Cookie: x=1\t\u202egnp\u200f.png";
    await server.db.updateTable("images").set({ file_name }).where("id", "=", id).execute();
    for (const query of ["", "?asAttachment=true", "?width=20"]) {
      const { answer } = await fetched(id, query);
      expect(answer.status).toBe(200);
      const name = decodeURIComponent(answer.headers.get("content-disposition") ?? "");
      expect(name, query).toContain("a__Set-Cookie: x=1__gnp_.");
      expect(name, query).not.toMatch(/[\p{Cc}\u200f\u202e]/u);
    }
  });

  it("returns 304 to clients with the current file, also for thumbnails, until the file changes", async () => {
    const id = await add(await upright(10).png().toBuffer(), "cached.png");
    for (const query of ["", "?width=250"]) {
      const { answer } = await fetched(id, query);
      const tag = answer.headers.get("etag") ?? "";
      // Node's fetch would send "no-cache" by default.
      const again = await fetched(id, query, { "If-None-Match": tag, "Cache-Control": "max-age=0" });
      expect([again.answer.status, again.bytes.length]).toEqual([304, 0]);
      await writeFiles(inFolder(""), { "cached.png": await upright(11).png().toBuffer() });
      const changed = await fetched(id, query, { "If-None-Match": tag, "Cache-Control": "max-age=0" });
      expect(changed.answer.status).toBe(200);
      await writeFiles(inFolder(""), { "cached.png": await upright(10).png().toBuffer() });
    }
  });

  it("names the hash of a stored file, also for ranges, until the file changes", async () => {
    const bytes = await upright(3).png().toBuffer();
    const id = await add(bytes, "hashed.png");
    const digest = `sha-256=:${createHash("sha256").update(bytes).digest("base64")}:`;
    const sent = async (query: string, headers = {}) =>
      (await fetched(id, query, headers)).answer.headers.get("repr-digest");
    for (const query of ["", "?original=true", "?asAttachment=true"]) expect(await sent(query)).toBe(digest);
    expect(await sent("", { Range: "bytes=2-9" })).toBe(digest);
    expect((await ann.fetch("HEAD", `image/${id}`)).headers.get("repr-digest")).toBe(digest);
    expect(await sent("", { Range: "bytes=999999-" })).toBeNull();
    expect(await sent("?width=10")).toBeNull();
    const changed = await upright(4).png().toBuffer();
    writeFileSync(inFolder("hashed.png"), changed);
    const { answer, bytes: now } = await fetched(id);
    expect(now).toEqual(changed);
    expect(answer.headers.get("repr-digest")).toBeNull();
  });

  it("sends ranges of a stored file", async () => {
    const whole = await upright(10).png().toBuffer();
    const id = await add(whole, "parts.png");
    const part = async (range: string) => {
      const { answer, bytes } = await fetched(id, "", { Range: range });
      return [answer.status, answer.headers.get("content-range"), bytes.toString("hex")];
    };
    const hex = (from: number, to: number) => whole.subarray(from, to).toString("hex");
    expect(await part("bytes=0-9")).toEqual([206, `bytes 0-9/${whole.length}`, hex(0, 10)]);
    expect(await part("bytes=-4")).toEqual([
      206,
      `bytes ${whole.length - 4}-${whole.length - 1}/${whole.length}`,
      hex(-4, whole.length),
    ]);
    expect((await part(`bytes=${whole.length - 3}-999999`))[2]).toBe(hex(-3, whole.length));
    const beyond = await ann.request("GET", `image/${id}`, { headers: { Range: "bytes=999999-" } });
    expect([beyond.status, typeof beyond.body.message]).toEqual([416, "string"]);
    expect((await part("bytes=999999-"))[1]).toBe(`bytes */${whole.length}`);
    for (const odd of ["bytes=5-2", "bytes=0-1,4-5", "bytes=x", "lines=1-2"]) expect((await part(odd))[0]).toBe(200);
    expect((await ann.fetch("HEAD", `image/${id}`)).headers.get("content-length")).toBe(String(whole.length));
  });

  it("returns 404 with a message if the file is missing, and still lists the image", async () => {
    const id = await add(await upright(7).png().toBuffer(), "vanishing.png");
    rmSync(inFolder("vanishing.png"));
    for (const query of ["", "?width=250", "?original=true"]) {
      const { status, body } = await ann.get(`image/${id}${query}`);
      expect([status, body.message]).toEqual([404, "The image's file no longer exists."]);
    }
    const { body } = await ann.get(`dataset/${datasetId}/data?file_name__icontains=vanishing`);
    expect(body.images).toHaveLength(1);
  });

  it("an image is for users who see the dataset; the trash is for owner and admins", async () => {
    const id = await add(await upright(8).png().toBuffer(), "private.png");
    const admin = await server.user("root", { admin: true });
    for (const query of ["", "?width=250", "?original=1"]) {
      expect((await eve.get(`image/${id}${query}`)).status).toBe(404);
      expect((await server.visitor().get(`image/${id}${query}`)).status).toBe(401);
      expect((await admin.get(`image/${id}${query}`)).status).toBe(200);
    }
    expect((await eve.delete(`image/${id}`)).status).toBe(404);
    await ann.post(`dataset/${datasetId}/share`, { users: ["eve"] });
    expect((await eve.get(`image/${id}`)).status).toBe(200);
    expect((await eve.delete(`image/${id}`)).status).toBe(403);
    expect((await upload(await upright(9).png().toBuffer(), "by eve.png", {}, eve)).status).toBe(200);
    await ann.post(`dataset/${datasetId}/share`, { users: [] });
    expect((await admin.delete(`image/${id}`)).status).toBe(200);
  });

  it("lists the user's visible images, page by page, with the requested fields", async () => {
    const cat = await seedCategory(server.db, ann.id);
    const tick = await seedCategory(server.db, ann.id);
    const id = await add(await upright(12).png().toBuffer(), "listed.png");
    await seedAnnotation(server.db, id, cat);
    await server.db
      .updateTable("images")
      .set({ labels: [tick, cat] })
      .where("id", "=", id)
      .execute();
    const { body } = await ann.get("image/?per_page=3&page=2");
    expect(body).toMatchObject({ page: 1, per_page: 3, fields: [], pages: Math.ceil(body.total / 3) });
    expect(body.images).toHaveLength(3);
    const all = (await ann.get("image/?per_page=1000&fields=category_ids,file_name,nonsense")).body.images;
    expect(all.find((image: { id: number }) => image.id === id)).toEqual({
      id,
      file_name: "listed.png",
      category_ids: [cat, tick],
    });
    expect((await eve.get("image/")).body).toMatchObject({ total: 0, pages: 1, images: [] });
    for (const bad of ["page=0", "page=x", "per_page=1001", "per_page=-1"])
      expect([bad, (await ann.get(`image/?${bad}`)).status]).toEqual([bad, 400]);
  });
});
