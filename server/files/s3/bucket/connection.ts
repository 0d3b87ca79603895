import { setTimeout as wait } from "node:timers/promises";
import { S3Client } from "@aws-sdk/client-s3";
import type { BucketSettings, StorageAddress } from "./storageAddress";
import { statusOf, storageError } from "./storageError";

const ATTEMPTS = 4;
/**
 * Milliseconds before an overloaded storage is asked again, after the client's own attempts, which take a tenth of a
 * second in all.
 */
const PAUSES_MS = [700, 2_000];
/** Milliseconds. The idle limit of a socket covers both directions; a body in the middle has its own (body.ts). */
const CONNECT_MS = 5_000;
const REQUEST_MS = 300_000;
const SOCKETS = 100;

/** A client, and the part of a bucket that it is used for. */
export interface Connection {
  readonly client: S3Client;
  readonly address: StorageAddress;
  /** Milliseconds without a byte after which a response counts as broken. */
  readonly idleMs: number;
}

export function makeClient(settings: BucketSettings, idleMs: number): S3Client {
  const { S3_ENDPOINT: endpoint, S3_REGION, S3_PATH_STYLE } = settings;
  // Servers at an address of their own mostly ignore the region, but requests are signed with one.
  const region = S3_REGION ?? (endpoint && !process.env.AWS_REGION ? "us-east-1" : undefined);
  return new S3Client({
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

/** Repeats `work` after pauses while the storage is overloaded or fails inside. Throws the client's errors. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
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

/** Does `work` like `patiently`; throws HttpError 503 if the storage cannot be used. */
export function requested<T>(work: () => Promise<T>): Promise<T> {
  return patiently(work).catch((error: unknown) => {
    throw storageError(error);
  });
}

/** Does `work` like `requested`; returns undefined if the storage responds that there is nothing. */
export function requestedIfAny<T>(work: () => Promise<T>): Promise<T | undefined> {
  return patiently(work).catch((error: unknown) => {
    if (statusOf(error) === 404) return undefined;
    throw storageError(error);
  });
}
