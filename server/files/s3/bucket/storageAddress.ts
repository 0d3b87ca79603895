import type { Env } from "../../../base/env";

/** Settings of a bucket. */
export type BucketSettings = Partial<Pick<Env, "S3_ENDPOINT" | "S3_REGION" | "S3_PATH_STYLE">>;

/** Location of an installation's files: keys begin with `prefix`, which is empty or ends with a slash. */
export interface StorageAddress {
  bucket: string;
  prefix: string;
}

/** Returns the parts of an address like s3://bucket/prefix, which readEnv has checked. */
export function parseStorage(address: string): StorageAddress {
  const [bucket = "", ...folders] = address.slice("s3://".length).split("/");
  const prefix = folders.filter(Boolean).join("/");
  return { bucket, prefix: prefix && `${prefix}/` };
}
