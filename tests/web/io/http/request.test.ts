// @vitest-environment jsdom
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createToken, revokeToken } from "../../../../shared/api/accounts/token";
import { getUser } from "../../../../shared/api/accounts/user";
import { getDatasets, updateDataset } from "../../../../shared/api/datasets/dataset";
import { getDataset, uploadToDataset } from "../../../../shared/api/datasets/datasetImages";
import { importCoco } from "../../../../shared/api/datasets/imports";
import { getInfo } from "../../../../shared/api/info";
import { currentInstallation, enterPages, onOtherOwner } from "../../../../web/io/http/pageOwner";
import { NoResponseError, RequestError, request, upload, url } from "../../../../web/io/http/request";
import { endSessionCalls, SessionEnded } from "../../../../web/io/http/sessionCalls";
import { eventually } from "../../../support/eventually";

interface Seen {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage["headers"];
  body: string;
}

let server: Server;
let seen: Seen[];
let answer: { status: number; headers?: Record<string, string>; body: string };

beforeEach(async () => {
  seen = [];
  answer = { status: 200, body: "{}" };
  server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      seen.push({
        method: incoming.method,
        url: incoming.url,
        headers: incoming.headers,
        body: Buffer.concat(chunks).toString(),
      });
      const cors = {
        "Access-Control-Allow-Origin": "*",
        "Access-Control-Allow-Headers": "*",
        "Access-Control-Expose-Headers": "Retry-After",
      };
      outgoing.writeHead(incoming.method === "OPTIONS" ? 204 : answer.status, { ...cors, ...answer.headers });
      outgoing.end(incoming.method === "OPTIONS" ? undefined : answer.body);
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  setBase(`http://127.0.0.1:${(server.address() as AddressInfo).port}/limn/`);
});
afterEach(() => new Promise((done) => server.close(done)));

function setBase(href: string) {
  document.head.innerHTML = "";
  const base = document.createElement("base");
  base.href = href;
  document.head.append(base);
}
/** Returns the requests, without preflights and health checks. */
const requested = () => seen.filter(({ method, url }) => method !== "OPTIONS" && url !== "/limn/api/health");

describe("url", () => {
  it("is relative to the page's base and inserts params in the path", () => {
    setBase("http://limn.test/limn/");
    expect(url(getDataset, { params: { id: 7 } })).toBe("http://limn.test/limn/api/dataset/7/data");
  });

  it("writes comma-separated lists, omits missing values, and encodes", () => {
    setBase("http://limn.test/");
    const query = { category_ids__in: [1, 2], file_name__icontains: "a&b", folder: undefined };
    expect(url(getDataset, { params: { id: 7 }, query })).toBe(
      "http://limn.test/api/dataset/7/data?category_ids__in=1%2C2&file_name__icontains=a%26b",
    );
  });
});

describe("the owner of the pages", () => {
  const ID = "7d8aa9a8-6f5b-4b5c-9d58-6d2f5f0a3c11";
  const enter = (installation: string | null) => enterPages({ installation, userId: 7 });

  it("the installation is named in every call that contains its ids, and not in the call that reads it", async () => {
    enter(ID);
    await request(getDatasets);
    await request(getUser);
    await request(getInfo);
    const named = requested().map(({ url, headers }) => [url, headers["x-limn-installation"]]);
    expect(named).toEqual([
      ["/limn/api/dataset/data", ID],
      ["/limn/api/user/", undefined],
      ["/limn/api/info/", undefined],
    ]);
  });

  it("the user is named in every call in the session's name, and not in those that name a user themselves", async () => {
    enter(ID);
    await request(getDatasets);
    await request(getDatasets, {}, { outlivesSession: true });
    await request(getUser);
    await upload(uploadToDataset, { params: { id: 1 }, files: [new File(["x"], "x.png")] }).catch(() => undefined);
    expect(requested().map(({ headers }) => headers["x-limn-user"])).toEqual(["7", undefined, undefined, "7"]);
  });

  it("another owner is reported when the server refuses a call for it, by the code alone", async () => {
    let reports = 0;
    const stop = onOtherOwner(() => reports++);
    answer = { status: 409, body: '{"message":"The server was restored."}' };
    await expect(request(getDatasets)).rejects.toMatchObject({ status: 409 });
    expect(reports).toBe(0);
    answer = { status: 409, body: '{"message":"?","code":"other_installation"}' };
    await expect(request(getDatasets)).rejects.toMatchObject({ status: 409, code: "other_installation" });
    const files = [new File(["x"], "x.png")];
    await expect(upload(uploadToDataset, { params: { id: 1 }, files })).rejects.toMatchObject({ status: 409 });
    expect(reports).toBe(2);
    answer = { status: 409, body: '{"message":"?","code":"other_user"}' };
    await expect(request(getDatasets)).rejects.toMatchObject({ status: 409, code: "other_user" });
    expect(reports).toBe(3);
    stop();
  });

  it("the installation is reported as changed only if the tab had ids of another installation", () => {
    enter(ID);
    expect(enter(ID)).toBe(false);
    expect(enter(null)).toBe(false);
    expect(enter("11111111-6f5b-4b5c-9d58-6d2f5f0a3c11")).toBe(true);
    expect(currentInstallation()).toBe("11111111-6f5b-4b5c-9d58-6d2f5f0a3c11");
  });
});

describe("request", () => {
  it("sends the method, the body as JSON, and the header of this application's pages", async () => {
    answer.body = '{"success":true}';
    const body = { categories: ["dog"] };
    await expect(request(updateDataset, { params: { id: 3 }, body })).resolves.toEqual({ success: true });
    expect(requested()[0]).toMatchObject({ method: "POST", url: "/limn/api/dataset/3", body: JSON.stringify(body) });
    expect(requested()[0]?.headers).toMatchObject({ "x-requested-with": "limn", "content-type": "application/json" });
  });

  it("throws status, title, message, errors and the time to retry", async () => {
    answer = { status: 429, headers: { "Retry-After": "30" }, body: '{"message":"Slowly","errors":{"name":"x"}}' };
    const error = await request(getDatasets).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RequestError);
    expect(error).toMatchObject({
      status: 429,
      title: "Loading Datasets",
      message: "Slowly",
      errors: { name: "x" },
      retryAfter: 30,
    });
  });

  it("handles a response that is not JSON, with any status", async () => {
    answer = { status: 502, body: "<html>Bad gateway</html>" };
    await expect(request(getInfo)).rejects.toMatchObject({ status: 502, message: /not available/ });
    answer = { status: 200, body: "<html>a captive portal</html>" };
    await expect(request(getInfo)).rejects.toBeInstanceOf(RequestError);
  });

  it("fails with status 0 if no server is reachable", async () => {
    await new Promise((done) => server.close(done));
    await expect(request(getInfo)).rejects.toMatchObject({ status: 0, title: "Loading Info" });
  });

  it("throws the reason of its signal when aborted", async () => {
    const abort = new AbortController();
    abort.abort(new Error("left the page"));
    await expect(request(getInfo, {}, { signal: abort.signal })).rejects.toThrow("left the page");
  });
});

describe("a command", () => {
  const BODY = { name: "script", expires_in_days: null };
  const make = (body = BODY) => request(createToken, { body });
  const revoke = (id: number) => request(revokeToken, { params: { id } });
  const ids = () => requested().map(({ headers }) => headers["x-limn-command"]);
  const fails = (status: number) => (answer = { status, body: "<html></html>" });
  const works = () => (answer = { status: 200, body: "{}" });
  beforeEach(endSessionCalls);

  it("a command has its own id, and a query has none", async () => {
    await make();
    await make();
    await request(getDatasets);
    const [first, second, none] = ids();
    expect(first).toMatch(/^[\w-]{36}$/);
    expect(second).toMatch(/^[\w-]{36}$/);
    expect(second).not.toBe(first);
    expect(none).toBeUndefined();
  });

  it.each([502, 503, 504])("a command is sent once more automatically after status %i, with its id", async (status) => {
    fails(status);
    const made = make();
    await eventually(() => expect(requested()).toHaveLength(1));
    works();
    await made;
    const [first, second] = ids();
    expect(ids()).toHaveLength(2);
    expect(second).toBe(first);
  });

  it("a command is sent once more, with its id, when a busy server states a short time", async () => {
    answer = { status: 503, headers: { "Retry-After": "1" }, body: "{}" };
    const made = make();
    await eventually(() => expect(requested()).toHaveLength(1));
    works();
    await made;
    const [first, second] = ids();
    expect(ids()).toHaveLength(2);
    expect(second).toBe(first);
  });

  it("a command fails when the server is still busy at the second try", async () => {
    answer = { status: 503, headers: { "Retry-After": "1" }, body: "{}" };
    await expect(make()).rejects.toMatchObject({ status: 503, retryAfter: 1 });
    expect(requested()).toHaveLength(2);
  });

  it("keeps its id when the user sends it again", async () => {
    fails(500);
    await expect(make()).rejects.toMatchObject({ status: 500 });
    fails(503);
    await expect(make()).rejects.toMatchObject({ status: 503 });
    works();
    await make();
    await make();
    const [first, second, third, fourth, fifth] = ids();
    expect([second, third, fourth]).toEqual([first, first, first]);
    expect(fifth).not.toBe(first);
  });

  it("keeps its id after an unreadable response, and after an abort", async () => {
    answer = { status: 200, body: "<html>a captive portal</html>" };
    await expect(make()).rejects.toBeInstanceOf(RequestError);
    works();
    const abort = new AbortController();
    const aborted = request(createToken, { body: BODY }, { signal: abort.signal });
    await eventually(() => expect(requested()).toHaveLength(2));
    abort.abort(new Error("left"));
    await aborted.catch(() => undefined);
    const [first, second] = ids();
    expect(second).toBe(first);
  });

  it("a command is not sent again for another user, nor if the server states a long time", async () => {
    fails(503);
    const made = make();
    await eventually(() => expect(requested()).toHaveLength(1));
    endSessionCalls();
    await expect(made).rejects.toBeInstanceOf(SessionEnded);
    answer = { status: 503, headers: { "Retry-After": "30" }, body: "{}" };
    await expect(make()).rejects.toMatchObject({ status: 503, retryAfter: 30 });
    expect(requested()).toHaveLength(2);
  });

  it("a command has a new id after a refusal, with another input, and for another user", async () => {
    fails(409);
    await expect(make()).rejects.toMatchObject({ status: 409 });
    fails(500);
    await expect(make()).rejects.toMatchObject({ status: 500 });
    await expect(make({ ...BODY, name: "other" })).rejects.toMatchObject({ status: 500 });
    endSessionCalls();
    await expect(make()).rejects.toMatchObject({ status: 500 });
    expect(new Set(ids()).size).toBe(4);
  });

  it("a repeated command is new after another change in between, but not after the same call for other targets", async () => {
    fails(500);
    await expect(revoke(1)).rejects.toMatchObject({ status: 500 });
    await expect(revoke(2)).rejects.toMatchObject({ status: 500 });
    works();
    await revoke(3);
    await revoke(1);
    await make();
    await revoke(2);
    const [one, two, , oneAgain, , twoAgain] = ids();
    expect(oneAgain).toBe(one);
    expect(twoAgain).not.toBe(two);
  });
});

describe("a server that does not respond", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    server.removeAllListeners("request");
    server.on("request", (incoming, outgoing) => {
      if (incoming.method !== "OPTIONS") return;
      outgoing.writeHead(204, { "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "*" }).end();
    });
  });
  afterEach(() => {
    vi.useRealTimers();
    server.closeAllConnections();
  });

  it("a request is given up after a minute, and a command is reported as possibly executed", async () => {
    const requested = request(getDatasets).catch((reason: unknown) => reason);
    const sent = request(createToken, { body: { name: "a", expires_in_days: null } }).catch(
      (reason: unknown) => reason,
    );
    vi.advanceTimersByTime(59_000);
    vi.advanceTimersByTime(2_000);
    const [error, failure] = await Promise.all([requested, sent]);
    expect(error).toBeInstanceOf(NoResponseError);
    expect(error).toMatchObject({ status: 0, message: "The server has not responded for a minute." });
    expect(failure).toMatchObject({ status: 0, message: /may have done this anyway; trying again/ });
  });

  it("an upload is given more time while files make progress", async () => {
    const files = [new File(["{}"], "a.json")];
    const sent = upload(importCoco, { params: { id: 5 }, files }).catch((reason: unknown) => reason);
    vi.advanceTimersByTime(181_000);
    expect(await sent).toMatchObject({ status: 0, message: /not answered for 3 minutes/ });
  });
});

describe("upload", () => {
  it("sends fields before files, under the declared name, and returns the JSON", async () => {
    answer.body = '{"files":[]}';
    const shares: number[] = [];
    const files = [new File(["one"], "a.jpg"), new File(["two"], "b.jpg")];
    const given = { params: { id: 5 }, fields: { folder: "sub", paths: ["x/a.jpg", "b.jpg"] }, files };
    await expect(upload(uploadToDataset, { ...given, onProgress: (share) => shares.push(share) })).resolves.toEqual({
      files: [],
    });
    const { url, body, headers } = requested()[0]!;
    expect(url).toBe("/limn/api/dataset/5/upload");
    expect(headers["x-requested-with"]).toBe("limn");
    const names = [...body.matchAll(/ name="(\w+)"/g)].map((match) => match[1]);
    expect(names).toEqual(["folder", "paths", "paths", "files", "files"]);
    expect(shares.at(-1)).toBe(1);
  });

  it("fails like a request", async () => {
    answer = { status: 413, body: '{"message":"Too large"}' };
    const sent = upload(importCoco, { params: { id: 5 }, files: [new File(["{}"], "a.json")] });
    await expect(sent).rejects.toMatchObject({ status: 413, title: "Importing COCO", message: "Too large" });
  });

  it("stops when it is aborted", async () => {
    const abort = new AbortController();
    const files = [new File(["{}"], "a.json")];
    const sent = upload(importCoco, { params: { id: 5 }, files, signal: abort.signal });
    abort.abort(new Error("enough"));
    await expect(sent).rejects.toThrow("enough");
  });
});
