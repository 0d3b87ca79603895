import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ZipFile } from "yazl";
import { newImageRow } from "../../../server/features/images/newImageRow";
import { sweepTrash } from "../../../server/features/trash/sweepTrash";
import { taskKinds } from "../../../server/tasks";
import { describeOnOneDatabase, type TestDatabase } from "../../support/databases";
import { eventually } from "../../support/eventually";
import { temporaryFolder } from "../../support/folders";
import { jpegWithOrientation, readCorners, upright } from "../../support/images";
import { runTask } from "../../support/runTask";
import { describeOnS3, putObject } from "../../support/s3Server";
import { startServer, type TestServer, type TestUser } from "../../support/server";
import type { TestBucket } from "../../support/startS3";

describeOnS3("an installation whose files are in a bucket", (bucket) => {
  describeOnOneDatabase("over HTTP", (open) => {
    const data = temporaryFolder();
    let settings: TestBucket;
    let database: TestDatabase;
    let server: TestServer;
    let ann: TestUser;
    let datasetId: number;

    beforeAll(async () => {
      settings = await bucket();
      database = await open();
      server = await startServer(database, { env: { ...settings, DATA_DIR: data } });
      ann = await server.user("ann", { admin: true });
      datasetId = (await ann.post("dataset/", { name: "birds & bees" })).body.id;
    });
    afterAll(() => server.close());

    const run = (id: number) => runTask(server.db, taskKinds, server.services, id);
    async function upload(name: string, bytes: Buffer) {
      const body = new FormData();
      body.append("files", new Blob([new Uint8Array(bytes)]), name);
      const { body: outcome, text } = await ann.request("POST", `dataset/${datasetId}/upload`, { body });
      if (!outcome?.files) throw new Error(text);
      return outcome.files[0] as { id: number; status: string };
    }
    const bytesAt = async (path: string, headers: Record<string, string> = {}) => {
      const response = await ann.fetch("GET", path, { headers });
      return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
    };
    /** Returns the regular files on the local disk. */
    const localFiles = () =>
      readdirSync(data, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(data.length + 1));

    it("stores uploads and sends them, whole, in ranges, and as views", async () => {
      const bytes = await jpegWithOrientation(6, 20);
      const { id, status } = await upload("turned ö.jpg", bytes);
      expect(status).toBe("added");
      const whole = await bytesAt(`image/${id}`);
      expect(whole.bytes.equals(bytes)).toBe(true);
      expect(whole.headers.get("cross-origin-resource-policy")).toBe("same-origin");
      expect(whole.headers.get("repr-digest")).toMatch(/^sha-256=/);
      const etag = whole.headers.get("etag") ?? "";
      expect((await bytesAt(`image/${id}`, { "If-None-Match": etag })).status).toBe(304);
      const part = await bytesAt(`image/${id}`, { Range: "bytes=100-199" });
      expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes 100-199/${bytes.length}`]);
      expect(part.bytes.equals(bytes.subarray(100, 200))).toBe(true);
      for (let round = 0; round < 2; round++) {
        const small = await bytesAt(`image/${id}?width=250`);
        expect(await readCorners(small.bytes)).toMatchObject({ width: 250 });
      }
      expect((await upload("turned ö.jpg", bytes)).status).toBe("known");
      expect((await upload("turned ö.jpg", await upright(3).jpeg().toBuffer())).status).toBe("refused");
    });

    it("unpacks zips, scans the prefix, and finds nothing new in what it stored itself", async () => {
      const zip = new ZipFile();
      for (const name of ["x/one.png", "x/two.png"]) zip.addBuffer(await upright(name.length).png().toBuffer(), name);
      zip.end();
      const { id } = await upload("images.zip", await buffer(zip.outputStream));
      expect((await run(id)).row).toMatchObject({ state: "done", result: { added: 2 } });
      const bytes = await upright(5).png().toBuffer();
      await putObject(settings, "datasets/birds & bees/by hand/new ö+.png", bytes);
      await putObject(settings, "datasets/birds & bees/.hidden/a.png", bytes);
      await putObject(settings, "datasets/birds & bees/notes.txt", Buffer.from("notes"));
      const scanned = await run((await ann.get(`dataset/${datasetId}/scan`)).body.id);
      expect(scanned.row).toMatchObject({ state: "done", result: { created: 1, changed: 0, missing: 0 } });
      const again = await run((await ann.get(`dataset/${datasetId}/scan`)).body.id);
      expect(again.row).toMatchObject({ result: { created: 0, known: 4, changed: 0, missing: 0, not_pictures: 1 } });
      expect(again.log.filter((line) => !line.startsWith("INFO"))).toEqual([]);
    });

    it("exports a dataset with its images, and imports the file again", async () => {
      const { body } = await ann.get(`dataset/${datasetId}/export?format=coco&with_images=1&with_empty_images=1`);
      const { row } = await run(body.id);
      expect(row.state).toBe("done");
      const exportId = (row.result as { export_id: number }).export_id;
      const { bytes, headers } = await bytesAt(`export/${exportId}/download`);
      expect(bytes.length).toBe(Number(headers.get("content-length")));
      expect(bytes.toString("latin1", 0, 2)).toBe("PK");
      const form = new FormData();
      form.append("coco", new Blob([new Uint8Array(bytes)]), "export.zip");
      const started = await ann.request("POST", `dataset/${datasetId}/coco`, { body: form });
      expect((await run(started.body.id)).row).toMatchObject({ state: "done", errors: 0 });
      expect((await ann.delete(`export/${exportId}`)).status).toBeLessThan(300);
    });

    it("moves a file to the trash when its image is deleted for good, and an older backup brings it back", async () => {
      const bytes = await upright(9).png().toBuffer();
      const { id } = await upload("trash.png", bytes);
      const facts = await server.services.files.images.probe("birds & bees", "trash.png");
      await ann.delete(`image/${id}`);
      expect((await ann.delete(`undo/?id=${id}&instance=image`)).status).toBeLessThan(300);
      expect((await server.services.files.trash.entries()).map(({ name }) => name)).toEqual([`image-${id}`]);
      expect((await bytesAt(`image/${id}`)).status).toBe(404);
      await server.db
        .insertInto("images")
        .values({ ...newImageRow(datasetId, "trash.png", facts), id })
        .execute();
      // The times of objects are whole seconds, perhaps rounded up.
      await eventually(async () => {
        await sweepTrash({ db: server.db, files: server.services.files }, 0);
        expect((await bytesAt(`image/${id}`)).bytes.equals(bytes)).toBe(true);
      });
    });

    it("keeps no stored file on the local disk", () => {
      expect(localFiles().filter((path) => !/^(db|installation\.json)/.test(path))).toEqual([]);
      expect(existsSync(server.env.DATASETS_DIR)).toBe(false);
    });

    it("sends 503 and a message for images while the bucket cannot be reached", async () => {
      const { id } = await upload("outage.png", await upright(7).png().toBuffer());
      const other = await startServer(database, {
        env: { ...settings, S3_ENDPOINT: "http://127.0.0.1:1", DATA_DIR: data },
      });
      try {
        const client = other.visitor();
        for (const [name, value] of ann.cookies) client.cookies.set(name, value);
        const { status, body, headers } = await client.get(`image/${id}`);
        expect([status, body.message]).toEqual([503, "The storage is not responding. Please try again."]);
        expect(headers.get("retry-after")).toBe("5");
      } finally {
        await other.close();
      }
    });
  });
});
