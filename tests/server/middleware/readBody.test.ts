import { PassThrough } from "node:stream";
import type { Context } from "koa";
import { expect, test } from "vitest";
import { workFor } from "../../../server/base/requester";
import { readJsonBytes } from "../../../server/middleware/readBody";

const MAX_BYTES = 32_000_000;

/** A request whose body is not complete until `req` ends. */
function request(length?: number) {
  const req = new PassThrough();
  const headers: Record<string, string> = { ...(length !== undefined && { "Content-Length": String(length) }) };
  const ctx = { req, get: (name: string) => headers[name] ?? "", is: () => "json" } as unknown as Context;
  return { req, bytes: (user: string) => workFor(user, () => readJsonBytes(ctx, MAX_BYTES, false)) };
}

test("one user's slow large bodies cannot fill the memory, and those of other users are read", async () => {
  const slow = [request(MAX_BYTES), request(MAX_BYTES), request(), request(MAX_BYTES)];
  const read = slow.map(({ bytes }) => bytes("ann"));
  for (const one of [request(MAX_BYTES), request()])
    await expect(one.bytes("ann")).rejects.toMatchObject({ status: 429 });
  const [small, other] = [request(2), request(MAX_BYTES)];
  small.req.end("{}");
  other.req.end("{}");
  expect(String(await small.bytes("ann"))).toBe("{}");
  await other.bytes("bob");

  for (const { req } of slow) req.end("{}");
  await Promise.all(read);
  const again = request(MAX_BYTES);
  again.req.end("{}");
  await again.bytes("ann");
});
