import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { api } from "../../../../shared/api";
import { basicOf } from "../../../../shared/api/protocol/basic";
import { makeClient } from "../../../../shared/api/protocol/client";

/** Against a server that returns the request; tests/docs/api.test.ts runs it against the real one. */
describe("the client for scripts", () => {
  let server: Server;
  let url: string;
  let requested: Pick<IncomingMessage, "method" | "url" | "headers"> & { body: string };
  let answer = { status: 200, body: "{}" };
  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const { method, url, headers } = request;
      requested = { method, url, headers, body: await text(request) };
      response.writeHead(answer.status, { "Retry-After": "7" }).end(answer.body);
    });
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/limn`;
  });
  afterAll(() => new Promise((done) => server.close(done)));

  test("fills the path and query, and sends JSON with the token", async () => {
    const client = makeClient({ url, token: "limn_x", fetch, FormData });
    answer = { status: 200, body: '{"success": true}' };
    const given = { params: { id: 7 }, body: { users: ["Ann & Bob"] } };
    expect(await client.request(api.dataset.shareDataset, given)).toEqual({ success: true });
    expect(requested).toMatchObject({
      method: "POST",
      url: "/limn/api/dataset/7/share",
      body: '{"users":["Ann & Bob"]}',
    });
    expect(requested.headers).toMatchObject({ authorization: "Bearer limn_x", "content-type": "application/json" });
    const query = { folder: "a b/ü", category_ids__in: [1, 2], annotated: true, limit: undefined };
    await client.request(api.dataset.getDataset, { params: { id: 7 }, query });
    const { pathname, searchParams } = new URL(requested.url ?? "", url);
    expect(pathname).toBe("/limn/api/dataset/7/data");
    expect(Object.fromEntries(searchParams)).toEqual({ folder: "a b/ü", category_ids__in: "1,2", annotated: "true" });
  });

  test("sends files with their names, after the fields", async () => {
    const client = makeClient({ url: `${url}//`, basic: { username: "ada", password: "ü:secret" }, fetch, FormData });
    answer = { status: 200, body: "5" };
    const files = [new File(["bytes"], "a.png")];
    expect(await client.upload(api.image.uploadImage, { fields: { dataset_id: 3 }, files })).toBe(5);
    expect(requested.url).toBe("/limn/api/image/");
    expect(requested.headers.authorization).toBe(`Basic ${Buffer.from("ada:ü:secret").toString("base64")}`);
    expect(requested.body).toMatch(/name="dataset_id"\r\n\r\n3\r\n.*name="image"; filename="a.png"/s);
  });

  test("returns a file as it is received", async () => {
    answer = { status: 200, body: "image" };
    const reply = await makeClient({ url, fetch, FormData }).download(api.image.getImage, { params: { id: 1 } });
    expect(await reply.text()).toBe("image");
  });

  test("throws the server's message, a message for other responses, and one for an unreachable server", async () => {
    const client = makeClient({ url, fetch, FormData });
    answer = { status: 400, body: '{"message": "No", "errors": {"name": "Missing"}}' };
    const refused = {
      status: 400,
      title: "Loading Datasets",
      message: "No",
      errors: { name: "Missing" },
      retryAfter: 7,
    };
    await expect(client.request(api.dataset.listDatasets)).rejects.toMatchObject(refused);
    await expect(client.download(api.exports.downloadExport, { params: { id: 1 } })).rejects.toMatchObject({
      status: 400,
    });
    answer = { status: 502, body: "<html>" };
    await expect(client.request(api.dataset.listDatasets)).rejects.toMatchObject({ status: 502, isOffline: false });
    answer = { status: 200, body: "<html>" };
    await expect(client.request(api.dataset.listDatasets)).rejects.toThrow("cannot be read");
    const away = makeClient({ url: "http://127.0.0.1:1/", fetch, FormData });
    await expect(away.request(api.dataset.listDatasets)).rejects.toMatchObject({ status: 0, isOffline: true });
  });

  test("encodes names and passwords for Basic authentication in UTF-8", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string(), (username, password) => {
        const expected = Buffer.from(`${username}:${password}`).toString("base64");
        expect(basicOf({ username, password })).toBe(`Basic ${expected}`);
      }),
    );
  });
});
