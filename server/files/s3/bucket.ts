import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import {
  AbortMultipartUploadCommand,
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import type { FileState } from "../paths/openImageFile";
import type { BucketSettings, StorageAddress } from "./storageAddress";
import { CutOff, statusOf, storageError } from "./storageError";

/** Size and time of an object, and the tag that changes with its bytes. Times have whole seconds. */
export interface ObjectState extends FileState {
  tag: string;
}

/** Bytes up to which a file is sent in one request, and the size of the parts of a larger one. */
const PART_BYTES = 16 * 1024 * 1024;
/** Parts of one upload that are sent at the same time; each is in memory. */
const PARTS_AT_ONCE = 2;
const ATTEMPTS = 4;
/** Statuses of a server that does not list incomplete uploads: forbidden, not allowed, not implemented. */
const CANNOT_LIST = new Set([403, 405, 501]);
/**
 * Milliseconds before an overloaded storage is asked again, after the client's own attempts, which take a tenth of a
 * second in all.
 */
const PAUSES_MS = [700, 2_000];
/** Milliseconds. An idle limit covers both directions; a body in the middle has its own below. */
const CONNECT_MS = 5_000;
const IDLE_MS = 20_000;
const REQUEST_MS = 300_000;
const SOCKETS = 100;
/** Milliseconds for which a bucket that was there counts as there. */
const FRESH_MS = 10_000;
/** Times that reading goes on after a cut without a byte in between. */
const RESUMES = 3;

/**
 * The objects of an S3 bucket below a prefix. Throws HttpError 503 if the storage cannot be used, after retries. Loaded
 * only if STORAGE names a bucket.
 */
export class Bucket {
  private readonly client: S3Client;
  private readonly address: StorageAddress;
  private readonly idleMs: number;
  private seenAt = Number.NEGATIVE_INFINITY;
  /** False if the server does not support writes on the condition that a key is free. */
  private hasConditions = true;

  constructor(address: StorageAddress, settings: BucketSettings, { idleMs = IDLE_MS } = {}) {
    this.address = address;
    this.idleMs = idleMs;
    const { S3_ENDPOINT: endpoint, S3_REGION, S3_PATH_STYLE } = settings;
    // Servers at an address of their own mostly ignore the region, but requests are signed with one.
    const region = S3_REGION ?? (endpoint && !process.env.AWS_REGION ? "us-east-1" : undefined);
    this.client = new S3Client({
      ...(endpoint && { endpoint }),
      ...(region && { region }),
      forcePathStyle: S3_PATH_STYLE ?? endpoint !== undefined,
      maxAttempts: ATTEMPTS,
      // Many servers reject the newer checksums. Also, the stream that checks a response hides a broken connection.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      requestHandler: {
        connectionTimeout: CONNECT_MS,
        socketTimeout: idleMs,
        requestTimeout: REQUEST_MS,
        throwOnRequestTimeout: true,
        httpAgent: { keepAlive: true, maxSockets: SOCKETS },
        httpsAgent: { keepAlive: true, maxSockets: SOCKETS },
      },
    });
  }

  /** Returns an object's state; undefined if it does not exist. */
  async state(key: string): Promise<ObjectState | undefined> {
    try {
      return stateOf(await patiently(() => this.client.send(new HeadObjectCommand(this.at(key)))));
    } catch (error) {
      if (statusOf(error) !== 404) throw storageError(error);
      await this.requireBucket();
      return undefined;
    }
  }

  /**
   * Streams bytes `start` to `end`, inclusive, of an object in this state. Resolves once the storage responds; goes on
   * after a cut in the middle.
   */
  async read(key: string, state: ObjectState, start = 0, end = state.bytes - 1): Promise<Readable> {
    if (end < start) return Readable.from([]);
    const bodyFrom = this.bodiesOf(key, state, end);
    const first = await bodyFrom(start);
    return Readable.from(this.wholeOf(first, start, end, bodyFrom), { objectMode: false });
  }

  /** Returns the state and the stream of a whole object with one request; undefined if it does not exist. */
  async open(key: string): Promise<{ state: ObjectState; stream: Readable } | undefined> {
    const response = await patiently(() => this.client.send(new GetObjectCommand(this.at(key)))).catch(
      async (error: unknown) => {
        if (statusOf(error) !== 404) throw storageError(error);
        await this.requireBucket();
        return undefined;
      },
    );
    if (!response) return undefined;
    const state = stateOf(response);
    const end = state.bytes - 1;
    const parts = this.wholeOf(response.Body as Readable, 0, end, this.bodiesOf(key, state, end));
    return { state, stream: Readable.from(parts, { objectMode: false }) };
  }

  /** Returns a function that requests the rest of an object in this state, from a byte on. */
  private bodiesOf(key: string, { tag }: ObjectState, end: number): (at: number) => Promise<Readable> {
    return async (at) => {
      const request = { ...this.at(key), Range: `bytes=${at}-${end}`, ...(tag && { IfMatch: tag }) };
      const { Body } = await patiently(() => this.client.send(new GetObjectCommand(request))).catch(
        (error: unknown) => {
          throw storageError(error);
        },
      );
      return Body as Readable;
    };
  }

  /** Returns a small object; undefined if it does not exist. */
  async readWhole(key: string): Promise<Buffer | undefined> {
    const { Body } = await patiently(() => this.client.send(new GetObjectCommand(this.at(key)))).catch(
      (error: unknown) => {
        if (statusOf(error) === 404) return { Body: undefined };
        throw storageError(error);
      },
    );
    if (!Body) return undefined;
    const chunks: Buffer[] = [];
    for await (const chunk of timely(Body as Readable, this.idleMs)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  private async *wholeOf(first: Readable, start: number, end: number, bodyFrom: (at: number) => Promise<Readable>) {
    let body = first;
    let at = start;
    let cuts = 0;
    try {
      for (;;) {
        try {
          for await (const chunk of timely(body, this.idleMs)) {
            at += chunk.length;
            cuts = 0;
            yield chunk;
          }
          if (at > end) return;
          throw new CutOff("The storage's response ended early");
        } catch (error) {
          if (++cuts > RESUMES) throw storageError(error);
        }
        body.destroy();
        body = await bodyFrom(at);
      }
    } finally {
      body.destroy();
    }
  }

  /** Yields the objects whose keys begin with `prefix`, in the order of their keys. */
  async *list(prefix: string): AsyncGenerator<{ key: string } & FileState> {
    for await (const { Contents = [] } of this.pages(prefix, {}))
      for (const { Key = "", Size = 0, LastModified } of Contents)
        yield { key: this.keyOf(Key), bytes: Size, modifiedMs: seconds(LastModified) };
  }

  /** Returns the next parts of the keys that begin with `prefix`, up to a slash. */
  async folderNames(prefix: string): Promise<string[]> {
    const names: string[] = [];
    for await (const { CommonPrefixes = [] } of this.pages(prefix, { Delimiter: "/" }))
      for (const { Prefix = "" } of CommonPrefixes) names.push(this.keyOf(Prefix).slice(prefix.length, -1));
    return names;
  }

  /** Returns the folders like `folderNames`, with the time of the first object of each. */
  async folders(prefix: string): Promise<{ name: string; modifiedMs: number }[]> {
    const folders: { name: string; modifiedMs: number }[] = [];
    for (const name of await this.folderNames(prefix))
      for await (const { modifiedMs } of this.list(`${prefix}${name}/`)) {
        folders.push({ name, modifiedMs });
        break;
      }
    return folders;
  }

  private async *pages(prefix: string, options: { Delimiter?: string }) {
    let token: string | undefined;
    do {
      const request = {
        Bucket: this.address.bucket,
        Prefix: this.address.prefix + prefix,
        // XML cannot contain every character of a key.
        EncodingType: "url",
        ContinuationToken: token,
        ...options,
      } as const;
      const page = await patiently(() => this.client.send(new ListObjectsV2Command(request))).catch(
        (error: unknown) => {
          throw storageError(error);
        },
      );
      yield page;
      token = page.IsTruncated ? page.NextContinuationToken : undefined;
    } while (token);
  }

  /**
   * Removes the parts of uploads that began at least `minAgeMs` milliseconds ago and were never completed, because their
   * process was killed. Does nothing if the server cannot list them, or the credentials do not allow it.
   */
  async abortUploads(minAgeMs: number): Promise<void> {
    await this.abortEach(minAgeMs).catch((error: unknown) => {
      if (!CANNOT_LIST.has(statusOf(error) ?? 0)) throw storageError(error);
    });
  }

  private async abortEach(minAgeMs: number): Promise<void> {
    const { bucket: Bucket, prefix: Prefix } = this.address;
    let from: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | undefined = {};
    while (from) {
      const request = new ListMultipartUploadsCommand({ Bucket, Prefix, ...from });
      const page: ListMultipartUploadsCommandOutput = await patiently(() => this.client.send(request));
      for (const { Key, UploadId, Initiated } of page.Uploads ?? [])
        if (Date.now() - (Initiated?.getTime() ?? Number.POSITIVE_INFINITY) >= minAgeMs)
          await this.client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
      from = page.IsTruncated ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker } : undefined;
    }
  }

  /** Stores a local file. With `ifFree`, returns false if the key is taken and the server supports the condition. */
  async putFile(key: string, file: string, { ifFree = false } = {}): Promise<boolean> {
    const { size } = await stat(file);
    const small = size <= PART_BYTES ? await readFile(file) : undefined;
    return this.unlessTaken(ifFree, (condition) =>
      small
        ? this.client.send(new PutObjectCommand({ ...this.at(key), ...condition, Body: small }))
        : this.putParts(key, createReadStream(file), condition),
    );
  }

  /** Stores a stream of unknown length, all or nothing. */
  async putStream(key: string, stream: Readable): Promise<void> {
    await this.putParts(key, stream, {}).catch((error: unknown) => {
      throw storageError(error);
    });
  }

  /** Sends a stream in parts, which can be sent again, unlike the stream. */
  private async putParts(key: string, stream: Readable, condition: Condition): Promise<void> {
    try {
      await new Upload({
        client: this.client,
        params: { ...this.at(key), ...condition, Body: stream },
        partSize: PART_BYTES,
        queueSize: PARTS_AT_ONCE,
        leavePartsOnError: false,
      }).done();
    } finally {
      stream.destroy();
    }
  }

  /** Copies an object on the server. With `ifFree`, see `putFile`: returns "taken". */
  async copy(from: string, to: string, { ifFree = false } = {}): Promise<"copied" | "taken" | "gone"> {
    const { bucket, prefix } = this.address;
    const CopySource = encodeURI(`${bucket}/${prefix}${from}`).replace(/[?#+]/g, encodeURIComponent);
    try {
      const isNew = await this.unlessTaken(ifFree, (condition) =>
        this.client.send(new CopyObjectCommand({ ...this.at(to), ...condition, CopySource })),
      );
      return isNew ? "copied" : "taken";
    } catch (error) {
      if (statusOf(error) !== 404) throw error;
      await this.requireBucket();
      return "gone";
    }
  }

  async remove(key: string): Promise<void> {
    await patiently(() => this.client.send(new DeleteObjectCommand(this.at(key)))).catch((error: unknown) => {
      if (statusOf(error) !== 404) throw storageError(error);
    });
  }

  /** Throws like the storage if the bucket does not exist, which a missing object does not reveal. */
  async requireBucket(): Promise<void> {
    if (performance.now() - this.seenAt < FRESH_MS) return;
    await patiently(() => this.client.send(new HeadBucketCommand({ Bucket: this.address.bucket }))).catch(
      (error: unknown) => {
        if (statusOf(error) === 404) Object.assign(error as Error, { name: "NoSuchBucket" });
        throw storageError(error);
      },
    );
    this.seenAt = performance.now();
  }

  private async unlessTaken(ifFree: boolean, write: (condition: Condition) => Promise<unknown>): Promise<boolean> {
    const isConditional = ifFree && this.hasConditions;
    try {
      await patiently(() => write(isConditional ? { IfNoneMatch: "*" } : {}));
      return true;
    } catch (error) {
      const status = statusOf(error);
      if (isConditional && (status === 412 || status === 409)) return false;
      if (!isConditional || status !== 501) throw storageError(error);
      this.hasConditions = false;
      return this.unlessTaken(ifFree, write);
    }
  }

  private at(key: string) {
    return { Bucket: this.address.bucket, Key: this.address.prefix + key };
  }

  private keyOf(encoded: string): string {
    return decodeURIComponent(encoded.replaceAll("+", " ")).slice(this.address.prefix.length);
  }
}

/** Repeats `work` after pauses while the storage is overloaded or fails inside. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (const pause of PAUSES_MS) {
    try {
      return await work();
    } catch (error) {
      const status = statusOf(error) ?? 0;
      if (status !== 429 && (status < 500 || status === 501)) throw error;
      await wait(pause * (0.5 + Math.random()));
    }
  }
  return work();
}

type Condition = { IfNoneMatch?: "*" };

interface Headers {
  ContentLength?: number | undefined;
  LastModified?: Date | undefined;
  ETag?: string | undefined;
}

const stateOf = ({ ContentLength, LastModified, ETag }: Headers): ObjectState => ({
  bytes: ContentLength ?? 0,
  modifiedMs: seconds(LastModified),
  tag: ETag ?? "",
});

/** Listings and responses round times differently. */
const seconds = (date: Date | undefined): number => Math.floor((date?.getTime() ?? 0) / 1000) * 1000;

/** Yields a body's chunks. Fails if none arrives for `idleMs` milliseconds, while one is awaited. */
async function* timely(body: Readable, idleMs: number): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]();
  for (;;) {
    const timer = setTimeout(() => body.destroy(new CutOff("The storage's response stopped")), idleMs);
    const { done, value } = await chunks.next().finally(() => clearTimeout(timer));
    if (done) return;
    yield value as Buffer;
  }
}
