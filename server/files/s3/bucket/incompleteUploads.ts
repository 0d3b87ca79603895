import {
  AbortMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
} from "@aws-sdk/client-s3";
import { type Connection, patiently } from "./connection";
import { statusOf, storageError } from "./storageError";

/** Statuses of a server that does not list incomplete uploads: forbidden, not allowed, not implemented. */
const CANNOT_LIST = new Set([403, 405, 501]);

/**
 * Removes the parts of uploads that began at least `minAgeMs` milliseconds ago and were never completed, because their
 * process was killed. Does nothing if the server cannot list them, or the credentials do not allow it.
 */
export async function abortIncompleteUploads(connection: Connection, minAgeMs: number): Promise<void> {
  await abortEach(connection, minAgeMs).catch((error: unknown) => {
    if (!CANNOT_LIST.has(statusOf(error) ?? 0)) throw storageError(error);
  });
}

/** An upload may end after it was listed, also by a first attempt to remove it whose response was lost. */
function throwUnlessGone(error: unknown): void {
  if (statusOf(error) !== 404) throw error;
}

async function abortEach({ client, address }: Connection, minAgeMs: number): Promise<void> {
  const { bucket: Bucket, prefix: Prefix } = address;
  let from: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | undefined = {};
  while (from) {
    const request = new ListMultipartUploadsCommand({ Bucket, Prefix, ...from });
    const page: ListMultipartUploadsCommandOutput = await patiently(() => client.send(request));
    for (const { Key, UploadId, Initiated } of page.Uploads ?? [])
      if (Date.now() - (Initiated?.getTime() ?? Number.POSITIVE_INFINITY) >= minAgeMs)
        await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(throwUnlessGone);
    from = page.IsTruncated ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker } : undefined;
  }
}
