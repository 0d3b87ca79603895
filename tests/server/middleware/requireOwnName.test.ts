import { expect, test } from "vitest";
import { readEnv } from "../../../server/base/env";
import { requireOwnName } from "../../../server/middleware/requireOwnName";

const statusOf = (host: string | undefined, variables: NodeJS.ProcessEnv = {}) => {
  try {
    requireOwnName({ host }, readEnv(variables));
    return 200;
  } catch (error) {
    return (error as { status: number }).status;
  }
};

test.each([
  "127.0.0.1:5000",
  "[::1]:5000",
  "192.168.1.7",
  "localhost:5000",
  "limn.localhost",
  "box",
  "Box.local:5000",
  "box.lan.",
  undefined,
])("%s is the server's own name", (host) => expect(statusOf(host)).toBe(200));

test.each(["evil.example:5000", "127.0.0.1.evil.example", "localhost.evil.example", "a b", "evil.example."])(
  "%s may belong to another server",
  (host) => expect(statusOf(host)).toBe(421),
);

test("the name in HOST is the server's own, and a trusted proxy vouches for any name", () => {
  expect(statusOf("limn.example:5000", { HOST: "limn.example" })).toBe(200);
  expect(statusOf("limn.example", { TRUST_PROXY: "true" })).toBe(200);
});
