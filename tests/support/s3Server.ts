import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe } from "vitest";
import { parseStorage } from "../../server/files/s3/bucket/storageAddress";
import { type S3Server, s3Program, startS3, type TestBucket } from "./startS3";

/**
 * Runs tests with an S3 server. `bucket` returns a new, empty bucket's settings, for use in beforeAll and tests. Skips
 * them with a warning without a program.
 */
export function describeOnS3(name: string, body: (bucket: () => Promise<TestBucket>) => void): void {
  const program = s3Program();
  if (!program) console.warn(`SKIPPED: "${name}" needs an S3 server. Set S3_SERVER to a program that starts one.`);
  describe.skipIf(!program)(name, () => {
    let server: S3Server;
    beforeAll(async () => {
      server = await startS3(program ?? "");
    });
    afterAll(() => server?.stop());
    body(() => server.makeBucket());
  });
}

/** Stores an object of an installation, like a tool other than Limn. */
export async function putObject({ STORAGE, S3_ENDPOINT }: TestBucket, key: string, bytes: Buffer): Promise<void> {
  const { bucket, prefix } = parseStorage(STORAGE);
  const client = new S3Client({ region: "us-east-1", endpoint: S3_ENDPOINT, forcePathStyle: true });
  await client.send(new PutObjectCommand({ Bucket: bucket, Key: prefix + key, Body: bytes }));
  client.destroy();
}
