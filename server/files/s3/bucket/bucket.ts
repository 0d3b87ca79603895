import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import type { FileState } from "../../paths/openImageFile";
import { timely, wholeBody } from "./body";
import { type Connection, makeClient, patiently, requested, requestedIfAny } from "./connection";
import { abortIncompleteUploads } from "./incompleteUploads";
import { listFolderNames, listObjects } from "./listing";
import { type ObjectState, stateOf } from "./objectState";
import type { BucketSettings, StorageAddress } from "./storageAddress";
import { statusOf, storageError } from "./storageError";

/** Bytes up to which a file is sent in one request, and the size of the parts of a larger one. */
const PART_BYTES = 16 * 1024 * 1024;
/** Parts of one upload that are sent at the same time; each is in memory. */
const PARTS_AT_ONCE = 2;
const IDLE_MS = 20_000;
/** Milliseconds for which a bucket that was there counts as there. */
const FRESH_MS = 10_000;

type Condition = { IfNoneMatch?: "*" };

/**
 * The objects of an S3 bucket below a prefix. Throws HttpError 503 if the storage cannot be used, after retries. Loaded
 * only if STORAGE names a bucket.
 */
export class Bucket {
  private readonly connection: Connection;
  private seenAt = Number.NEGATIVE_INFINITY;
  /** False if the server does not support writes on the condition that a key is free. */
  private hasConditions = true;

  constructor(address: StorageAddress, settings: BucketSettings, { idleMs = IDLE_MS } = {}) {
    this.connection = { client: makeClient(settings, idleMs), address, idleMs };
  }

  /** Returns an object's state; undefined if it does not exist. */
  async state(key: string): Promise<ObjectState | undefined> {
    const response = await requestedIfAny(() => this.client.send(new HeadObjectCommand(this.at(key))));
    if (!response) await this.requireBucket();
    return response && stateOf(response);
  }

  /**
   * Streams bytes `start` to `end`, inclusive, of an object in this state. Resolves once the storage responds; goes on
   * after a cut in the middle.
   */
  async read(key: string, state: ObjectState, start = 0, end = state.bytes - 1): Promise<Readable> {
    if (end < start) return Readable.from([]);
    const bodyFrom = this.bodiesOf(key, state, end);
    return this.streamOf({ first: await bodyFrom(start), start, end, bodyFrom });
  }

  /** Returns the state and the stream of a whole object with one request; undefined if it does not exist. */
  async open(key: string): Promise<{ state: ObjectState; stream: Readable } | undefined> {
    const response = await requestedIfAny(() => this.client.send(new GetObjectCommand(this.at(key))));
    if (!response) {
      await this.requireBucket();
      return undefined;
    }
    const state = stateOf(response);
    const end = state.bytes - 1;
    const first = response.Body as Readable;
    return { state, stream: this.streamOf({ first, start: 0, end, bodyFrom: this.bodiesOf(key, state, end) }) };
  }

  /** Returns a small object; undefined if it does not exist. */
  async readWhole(key: string): Promise<Buffer | undefined> {
    const response = await requestedIfAny(() => this.client.send(new GetObjectCommand(this.at(key))));
    if (!response?.Body) return undefined;
    const chunks: Buffer[] = [];
    for await (const chunk of timely(response.Body as Readable, this.connection.idleMs)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  /** Yields the objects whose keys begin with `prefix`, in the order of their keys. */
  list(prefix: string): AsyncGenerator<{ key: string } & FileState> {
    return listObjects(this.connection, prefix);
  }

  /** Returns the next parts of the keys that begin with `prefix`, up to a slash. */
  folderNames(prefix: string): Promise<string[]> {
    return listFolderNames(this.connection, prefix);
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

  /** See `abortIncompleteUploads`. */
  abortUploads(minAgeMs: number): Promise<void> {
    return abortIncompleteUploads(this.connection, minAgeMs);
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

  /** Copies an object on the server. With `ifFree`, see `putFile`: returns "taken". */
  async copy(from: string, to: string, { ifFree = false } = {}): Promise<"copied" | "taken" | "gone"> {
    const { bucket, prefix } = this.connection.address;
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
    await requestedIfAny(() => this.client.send(new DeleteObjectCommand(this.at(key))));
  }

  /** Throws like the storage if the bucket does not exist, which a missing object does not reveal. */
  async requireBucket(): Promise<void> {
    if (performance.now() - this.seenAt < FRESH_MS) return;
    const { bucket: Bucket } = this.connection.address;
    await patiently(() => this.client.send(new HeadBucketCommand({ Bucket }))).catch((error: unknown) => {
      if (statusOf(error) === 404) Object.assign(error as Error, { name: "NoSuchBucket" });
      throw storageError(error);
    });
    this.seenAt = performance.now();
  }

  private get client() {
    return this.connection.client;
  }

  private at(key: string) {
    const { bucket, prefix } = this.connection.address;
    return { Bucket: bucket, Key: prefix + key };
  }

  /** Returns a function that requests the rest of an object in this state, from a byte on. */
  private bodiesOf(key: string, { tag }: ObjectState, end: number): (at: number) => Promise<Readable> {
    return async (at) => {
      const request = { ...this.at(key), Range: `bytes=${at}-${end}`, ...(tag && { IfMatch: tag }) };
      const { Body } = await requested(() => this.client.send(new GetObjectCommand(request)));
      return Body as Readable;
    };
  }

  private streamOf(wanted: Parameters<typeof wholeBody>[0]): Readable {
    return Readable.from(wholeBody(wanted, this.connection.idleMs), { objectMode: false });
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
}
