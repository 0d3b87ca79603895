import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { ConfigurationError } from "../../base/errors";
import type { TemporaryFiles } from "../paths/temporaryFiles";
import type { Claim } from "../storage/storage";
import type { Bucket } from "./bucket/bucket";

/** Object with the id of the installation that the other objects belong to. */
export const MARKER = "installation.json";

interface Claiming {
  address: string;
  installation: string;
  how: Claim;
}

/** Lists, writes, reads and removes an object. Throws ConfigurationError with the reason if that is not possible. */
export async function checkBucket(bucket: Bucket, temporary: TemporaryFiles, address: string): Promise<void> {
  const key = `.limn-${randomUUID()}`;
  try {
    for await (const _ of bucket.list(key)) break;
    await putText(bucket, temporary, key, key);
    try {
      if ((await textOf(bucket, key)) !== key) throw new Error("an object was not read as it was written");
    } finally {
      await bucket.remove(key);
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigurationError(`The storage ${address} cannot be used: ${reason}`);
  }
}

/** Checks that the objects belong to the installation, or marks them as its own; see Storage. */
export async function claimBucket(
  bucket: Bucket,
  temporary: TemporaryFiles,
  { address, installation, how }: Claiming,
): Promise<void> {
  const marker = await textOf(bucket, MARKER);
  const owner = marker === undefined ? undefined : idIn(marker);
  if (owner === installation) return;
  if (marker !== undefined && how !== "adopt")
    throw new ConfigurationError(
      `The storage ${address} belongs to another database. Set STORAGE to the database's own. ` +
        "To use this storage from now on: npm run adopt",
    );
  if (how !== "check") await putText(bucket, temporary, MARKER, JSON.stringify({ id: installation }));
}

function idIn(marker: string): unknown {
  try {
    return JSON.parse(marker).id;
  } catch {
    return undefined;
  }
}

async function putText(bucket: Bucket, temporary: TemporaryFiles, key: string, text: string): Promise<void> {
  const file = await temporary.make();
  try {
    await writeFile(file, text);
    await bucket.putFile(key, file, { ifFree: key !== MARKER });
  } finally {
    await temporary.remove(file);
  }
}

async function textOf(bucket: Bucket, key: string): Promise<string | undefined> {
  const state = await bucket.state(key);
  return state && Buffer.concat(await (await bucket.read(key, state)).toArray()).toString();
}
