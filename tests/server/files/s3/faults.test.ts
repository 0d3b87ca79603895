import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import {
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { makeFiles } from "../../../../server/files/files";
import { Bucket } from "../../../../server/files/s3/bucket/bucket";
import { parseStorage } from "../../../../server/files/s3/bucket/storageAddress";
import { type Fault, type FaultyProxy, startFaultyProxy } from "../../../support/faultyProxy";
import { temporaryFolder } from "../../../support/folders";
import { describeOnS3 } from "../../../support/s3Server";
import type { TestBucket } from "../../../support/startS3";

const KEY = "datasets/set/a.bin";
const IDLE_MS = 600;

describeOnS3("a bucket that fails", (newBucket) => {
  const data = temporaryFolder();
  const file = join(data, "file");
  const bytes = Buffer.alloc(5_000_000);
  for (let at = 0; at < bytes.length; at += 4) bytes.writeUInt32LE(at, at);
  let settings: TestBucket;
  let proxy: FaultyProxy;
  let bucket: Bucket;

  beforeAll(async () => {
    settings = await newBucket();
    proxy = await startFaultyProxy(settings.S3_ENDPOINT);
    bucket = new Bucket(parseStorage(settings.STORAGE), { S3_ENDPOINT: proxy.url }, { idleMs: IDLE_MS });
    writeFileSync(file, bytes);
    await bucket.putFile(KEY, file);
  });
  afterAll(() => proxy.close());
  beforeEach(() => proxy.fail(undefined));

  async function read(...range: number[]): Promise<Buffer> {
    const state = await bucket.state(KEY);
    if (!state) throw new Error("there is no object");
    return buffer(await bucket.read(KEY, state, ...range));
  }
  /** Fails the first `times` requests. */
  function first(times: number, fault: (...args: Parameters<Fault>) => void): Fault {
    return (...args) => {
      if (times-- <= 0) return false;
      fault(...args);
      return true;
    };
  }
  const respond =
    (status: number, code: string) =>
    (...[req, res]: Parameters<Fault>) => {
      req.resume();
      res.writeHead(status, { "content-type": "application/xml" });
      res.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`);
    };

  it("is asked again after 503 SlowDown", async () => {
    proxy.fail(first(6, respond(503, "SlowDown")));
    expect((await read()).equals(bytes)).toBe(true);
    proxy.fail(first(2, respond(503, "SlowDown")));
    await bucket.putFile(`${KEY}2`, file);
    expect(await bucket.state(`${KEY}2`)).toMatchObject({ bytes: bytes.length });
  });

  it("that stays overloaded gives a 503 with the time to wait", async () => {
    proxy.fail(first(100, respond(503, "SlowDown")));
    await expect(bucket.state(KEY)).rejects.toMatchObject({
      status: 503,
      message: "The storage is overloaded. Please try again.",
      headers: { "Retry-After": "5" },
    });
  });

  it.each(["cut", "stop"] as const)("is read to the end after its response was %s in the middle", async (how) => {
    proxy.fail({ afterBytes: 1_500_000, how, times: 2 });
    expect((await read()).equals(bytes)).toBe(true);
    proxy.fail({ afterBytes: 1_000, how, times: 1 });
    expect((await read(1_000_000, 2_000_000)).equals(bytes.subarray(1_000_000, 2_000_001))).toBe(true);
  });

  it("whose responses are always cut at once fails the stream", async () => {
    proxy.fail({ afterBytes: 0, how: "cut", times: 100 });
    await expect(read()).rejects.toMatchObject({ status: 503 });
  });

  it("never gives a mixture of an object and its replacement", async () => {
    const state = await bucket.state(KEY);
    if (!state) throw new Error("there is no object");
    const stream = await bucket.read(KEY, state);
    const chunks = stream[Symbol.asyncIterator]();
    await chunks.next();
    const other = join(data, "other");
    writeFileSync(other, Buffer.alloc(bytes.length, 7));
    await bucket.putFile(KEY, other);
    proxy.fail((_, res) => {
      res.destroy();
      return true;
    });
    const rest = (async () => {
      const read: Buffer[] = [];
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) read.push(next.value);
      return Buffer.concat(read);
    })();
    const whole = await rest.catch(() => undefined);
    if (whole) expect(whole.includes(Buffer.alloc(1000, 7))).toBe(false);
    proxy.fail(undefined);
    await expect(bucket.read(KEY, state)).rejects.toThrow();
    await bucket.putFile(KEY, file);
  });

  it("that does not respond gives a 503", async () => {
    proxy.fail((req) => {
      req.resume();
      return true;
    });
    await expect(bucket.state(KEY)).rejects.toMatchObject({
      status: 503,
      message: "The storage is not responding. Please try again.",
    });
  });

  it("that cannot be reached gives a 503", async () => {
    const nowhere = new Bucket(parseStorage(settings.STORAGE), { S3_ENDPOINT: "http://127.0.0.1:1" });
    await expect(nowhere.state(KEY)).rejects.toMatchObject({ status: 503 });
  });

  it("gets a whole object or none if the connection breaks during an upload", async () => {
    const destroy: Fault = (req, res) => {
      if (req.method !== "PUT") return false;
      req.once("data", () => res.destroy());
      return true;
    };
    proxy.fail(first(2, destroy));
    await bucket.putFile(`${KEY}3`, file);
    expect(await bucket.state(`${KEY}3`)).toMatchObject({ bytes: bytes.length });
    proxy.fail(destroy);
    await expect(bucket.putFile(`${KEY}4`, file)).rejects.toMatchObject({ status: 503 });
    proxy.fail(undefined);
    expect(await bucket.state(`${KEY}4`)).toBeUndefined();
  });

  it("keeps no parts of uploads whose process was killed, except young ones and those of other installations", async () => {
    const { bucket: Bucket, prefix } = parseStorage(settings.STORAGE);
    const endpoint = settings.S3_ENDPOINT;
    const client = new S3Client({ region: "us-east-1", endpoint, forcePathStyle: true });
    for (const Key of [`${prefix}exports/one.json`, `${prefix}uploads/two`, "other/exports/three.json"]) {
      const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
      await client.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber: 1, Body: Buffer.alloc(1_000) }));
    }
    const left = async () => {
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }));
      return Uploads.map(({ Key }) => Key);
    };
    await bucket.abortUploads(3_600_000);
    expect(await left()).toHaveLength(3);
    // The server rounds their times up to a second.
    await wait(1_100);
    const once = first(1, respond(404, "NoSuchUpload"));
    proxy.fail((req, res) => req.method === "DELETE" && once(req, res));
    await bucket.abortUploads(0);
    expect(await left()).toHaveLength(2);
    proxy.fail(undefined);
    await bucket.abortUploads(0);
    expect(await left()).toEqual(["other/exports/three.json"]);
    proxy.fail(first(1, respond(403, "AccessDenied")));
    await bucket.abortUploads(0);
    client.destroy();
  });

  it("that refuses the credentials, or does not exist, says so at start and in requests", async () => {
    const folders = { DATA_DIR: data, DATASETS_DIR: join(data, "unused"), MAX_UPLOAD_MB: 10 };
    const missing = makeFiles({ ...folders, ...settings, STORAGE: "s3://limn-missing" });
    await expect(missing.check()).rejects.toThrow(
      "The storage s3://limn-missing cannot be used: The storage's bucket does not exist.",
    );
    await expect(missing.images.state("set", "a.png")).rejects.toMatchObject({ status: 503 });
    await expect(missing.images.open("set", "a.png")).rejects.toMatchObject({ status: 503 });
    await expect(missing.images.listFiles("set").next()).rejects.toMatchObject({ status: 503 });
    const secret = process.env.AWS_SECRET_ACCESS_KEY;
    process.env.AWS_SECRET_ACCESS_KEY = "wrong";
    try {
      const refused = makeFiles({ ...folders, ...settings });
      await expect(refused.check()).rejects.toThrow("The storage refuses access.");
      await expect(refused.images.open("set", "a.png")).rejects.toMatchObject({
        status: 503,
        message: "The storage refuses access. An administrator must check its credentials.",
      });
    } finally {
      process.env.AWS_SECRET_ACCESS_KEY = secret;
    }
  });

  it("is not used by another installation, unless it adopts or is left it", async () => {
    const files = makeFiles({ DATA_DIR: data, DATASETS_DIR: join(data, "unused"), MAX_UPLOAD_MB: 10, ...settings });
    await files.claim("one", "check");
    await files.claim("one", "mark");
    await files.claim("one", "mark");
    for (const how of ["mark", "check"] as const)
      await expect(files.claim("two", how)).rejects.toThrow("belongs to another database");
    await files.claim("two", "adopt");
    await expect(files.claim("one", "mark")).rejects.toThrow("npm run adopt");
    await files.release();
    await files.claim("one", "mark");
  });
});
