import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeOutside } from "../../../server/outside/outside";
import { postOutside } from "../../../server/outside/post";

let server: Server;
let origin: string;
const requested: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    requested.push(request.url ?? "");
    if (request.url === "/away") response.writeHead(302, { Location: "http://localhost:1/" }).end();
    else if (request.url !== "/slow") response.end(JSON.stringify(request.headers));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const options = (signal = new AbortController().signal) => ({ accept: "image/*", signal, seconds: 1 });

it("does not request addresses of its own network, by number or by name, at first or after a redirect", async () => {
  const { port } = new URL(origin);
  const before = requested.length;
  for (const host of ["127.0.0.1", "localhost", "[::1]", "0x7f.1", "2130706433", "0.0.0.0", "[::ffff:127.0.0.1]"])
    await expect(makeOutside().get(`http://${host}:${port}/`, options()), host).rejects.toThrow(
      "is not on the public internet",
    );
  expect(requested.length).toBe(before);
  await expect(makeOutside(origin).get(`${origin}/away`, options())).rejects.toThrow("localhost is not on");
});

it("requests an allowed origin, without names and passwords", async () => {
  const { body, status } = await makeOutside(origin).get(origin.replace("//", "//ann:secret@"), options());
  const headers = JSON.parse(Buffer.concat(await body.toArray()).toString());
  expect(status).toBe(200);
  expect(headers).toMatchObject({ accept: "image/*", "user-agent": "Limn (image annotation)" });
  expect(headers).not.toHaveProperty("authorization");
});

it("does not wait forever, and stops when cancelled", async () => {
  await expect(makeOutside(origin).get(`${origin}/slow`, options())).rejects.toThrow("no response within 1 s");
  const reason = new Error("cancelled");
  await expect(makeOutside(origin).get(`${origin}/slow`, options(AbortSignal.abort(reason)))).rejects.toBe(reason);
});

it("posts a text, follows no redirect, and refuses its own network unless allowed", async () => {
  const post = (url: string, allowPrivate: boolean) =>
    postOutside(url, { headers: {}, body: "{}", signal: options().signal, seconds: 1, allowPrivate });
  expect(await post(origin, true)).toBe(200);
  const before = requested.length;
  expect(await post(`${origin}/away`, true)).toBe(302);
  expect(requested.slice(before)).toEqual(["/away"]);
  await expect(post(origin.replace("127.0.0.1", "localhost"), false)).rejects.toThrow("localhost is not on");
  await expect(post(`${origin}/slow`, true)).rejects.toThrow("no response within 1 s");
  expect(requested.slice(before)).toEqual(["/away", "/slow"]);
});
