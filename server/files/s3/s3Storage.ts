import type { Env } from "../../base/env";
import { makeTemporaryFiles, temporaryFolder } from "../paths/temporaryFiles";
import type { Storage } from "../storage/storage";
import type { Bucket } from "./bucket/bucket";
import { type BucketSettings, parseStorage } from "./bucket/storageAddress";
import { LocalCopies } from "./localCopies";
import { objectsByName, objectsOfViews } from "./objects";
import { keyLimit, objectsOfImages, objectsOfTrash } from "./objectsOfImages";
import { checkBucket, claimBucket, MARKER } from "./ownBucket";

/** Copies of images that are on the local disk at once. */
const IMAGES_AT_ONCE = 12;
/** Zips that are on the local disk at once, which may each be as large as an upload. */
const ZIPS_AT_ONCE = 4;

/** Stores all files in a bucket below the prefix in `address`. Only temporary files are on the local disk. */
export function s3Storage(address: string, env: Pick<Env, "DATA_DIR"> & BucketSettings): Storage {
  const { bucket, prefix } = parseStorage(address);
  let opened: Promise<Bucket> | undefined;
  const open = () => {
    opened ??= import("./bucket/bucket").then(({ Bucket }) => new Bucket({ bucket, prefix }, env));
    return opened;
  };
  const temporary = makeTemporaryFiles(temporaryFolder(env));
  const copies = new LocalCopies(temporary, IMAGES_AT_ONCE);
  const zips = new LocalCopies(temporary, ZIPS_AT_ONCE);
  return {
    images: objectsOfImages(open, keyLimit(prefix), copies),
    trash: objectsOfTrash(open),
    views: objectsOfViews(open, "cache/pictures/", temporary),
    uploads: objectsByName(open, "uploads/", zips),
    exports: objectsByName(open, "exports/", zips),
    zips: objectsByName(open, "zips/", zips),
    check: async () => checkBucket(await open(), temporary, address),
    claim: async (installation, how) => claimBucket(await open(), temporary, { address, installation, how }),
    release: async () => (await open()).remove(MARKER),
    tidy: async (minAgeMs) => (await open()).abortUploads(minAgeMs),
  };
}
