import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import type { FileState } from "../../paths/openImageFile";
import { type Connection, requested } from "./connection";
import { wholeSeconds } from "./objectState";

/** Yields the objects whose keys begin with `prefix`, in the order of their keys. */
export async function* listObjects(
  connection: Connection,
  prefix: string,
): AsyncGenerator<{ key: string } & FileState> {
  for await (const { Contents = [] } of pages(connection, prefix, {}))
    for (const { Key = "", Size = 0, LastModified } of Contents)
      yield { key: keyOf(connection, Key), bytes: Size, modifiedMs: wholeSeconds(LastModified) };
}

/** Returns the next parts of the keys that begin with `prefix`, up to a slash. */
export async function listFolderNames(connection: Connection, prefix: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { CommonPrefixes = [] } of pages(connection, prefix, { Delimiter: "/" }))
    for (const { Prefix = "" } of CommonPrefixes) names.push(keyOf(connection, Prefix).slice(prefix.length, -1));
  return names;
}

async function* pages({ client, address }: Connection, prefix: string, options: { Delimiter?: string }) {
  let token: string | undefined;
  do {
    const request = {
      Bucket: address.bucket,
      Prefix: address.prefix + prefix,
      // XML cannot contain every character of a key.
      EncodingType: "url",
      ContinuationToken: token,
      ...options,
    } as const;
    const page = await requested(() => client.send(new ListObjectsV2Command(request)));
    yield page;
    token = page.IsTruncated ? page.NextContinuationToken : undefined;
  } while (token);
}

function keyOf({ address }: Connection, encoded: string): string {
  return decodeURIComponent(encoded.replaceAll("+", " ")).slice(address.prefix.length);
}
