// @vitest-environment jsdom
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createToken } from "../../../../shared/api/accounts/token";
import { createCategory } from "../../../../shared/api/category";
import { getDatasets } from "../../../../shared/api/datasets/dataset";
import { getDataset } from "../../../../shared/api/datasets/datasetImages";
import { listMembers } from "../../../../shared/api/datasets/datasetMembers";
import { getHealth } from "../../../../shared/api/info";
import type { Call } from "../../../../shared/api/protocol/call";
import { OnDemand } from "../../../../shared/async/onDemand";
import { type LocalAnswers, setLocalAnswers } from "../../../../web/io/http/localAnswers";
import {
  checkReach,
  confirmAway,
  getAwayMs,
  getAwaySince,
  getReach,
  noteResponse,
  onReturn,
  untilReachable,
} from "../../../../web/io/http/reachability";
import { request } from "../../../../web/io/http/request";
import { endSessionCalls, SessionEnded } from "../../../../web/io/http/sessionCalls";
import { requestNextImage } from "../../../../web/queries/assignment/nextImage";
import { eventually } from "../../../support/eventually";

/** Less than the time limit of a health check in milliseconds, which these calls must not wait for. */
const BEFORE_CHECK_LIMIT_MS = 9_000;

const HERE = { datasets: "here" };
/** Response for each path: a status, or `silent` for none. Others get 200. */
let responses: Record<string, number | "silent" | "broken">;
let server: Server;
let port: number;
let local: unknown;
let noted: [Call, unknown][];
let seen: string[];

function listen(at = 0): Promise<void> {
  server = createServer((incoming, outgoing) => respond(incoming.url ?? "", incoming.method, outgoing));
  return new Promise((done) => server.listen(at, "127.0.0.1", done));
}

function respond(path: string, method: string | undefined, outgoing: ServerResponse): void {
  const headers = { "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "*" };
  if (method === "OPTIONS") return void outgoing.writeHead(204, headers).end();
  seen.push(path);
  const response = responses[path] ?? 200;
  if (response === "silent") return;
  if (response === "broken") return void outgoing.destroy();
  outgoing.writeHead(response, { ...headers, "Content-Type": "application/json" }).end('{"from":"server"}');
}

const ANSWERS: LocalAnswers = {
  covers: (call) => call === getDatasets,
  find: async () => local,
  note: (call, _, output) => void noted.push([call, output]),
};

/** Sets local answers that are loaded at once, or when they are needed if `isLater`. */
function giveAnswers(answers: LocalAnswers, isLater = false): void {
  const source = new OnDemand(async () => answers);
  setLocalAnswers(source);
  if (!isLater) void source.get();
}

const stop = () =>
  new Promise((done) => {
    server.close(done);
    server.closeAllConnections();
  });

beforeEach(async () => {
  responses = {};
  noted = [];
  seen = [];
  local = HERE;
  await listen();
  port = (server.address() as AddressInfo).port;
  document.head.innerHTML = `<base href="http://127.0.0.1:${port}/">`;
  noteResponse();
  giveAnswers(ANSWERS);
});
afterEach(async () => {
  setLocalAnswers(undefined);
  noteResponse();
  await stop();
});

const timed = async <T>(work: Promise<T>): Promise<[T, number]> => {
  const start = performance.now();
  return [await work, performance.now() - start];
};

it("answers locally when the connection fails, and at once from then on", async () => {
  await stop();
  const start = Date.now();
  await expect(request(getDatasets)).resolves.toEqual(HERE);
  expect(getReach()).toBe("away");
  expect(getAwaySince()).toBeGreaterThanOrEqual(start);
  const sent = vi.spyOn(globalThis, "fetch");
  await expect(request(getDatasets)).resolves.toEqual(HERE);
  expect(sent).not.toHaveBeenCalled();
  sent.mockRestore();
  await listen(port);
});

it("knows for how long the server has been away, even if the clock is set back in the meantime", async () => {
  expect(getAwayMs()).toBe(0);
  await stop();
  await expect(request(getDatasets)).resolves.toEqual(HERE);
  const anHourAgo = Date.now() - 3_600_000;
  const clock = vi.spyOn(Date, "now").mockImplementation(() => anHourAgo);
  expect(getAwayMs()).toBeGreaterThan(0);
  clock.mockRestore();
  await listen(port);
});

it("answers locally after two seconds of silence of the call and the health check", async () => {
  responses = { "/api/dataset/data": "silent", "/api/health": "silent" };
  const [output, ms] = await timed(request(getDatasets));
  expect(output).toEqual(HERE);
  expect(ms).toBeGreaterThan(1900);
  expect(ms).toBeLessThan(BEFORE_CHECK_LIMIT_MS);
});

it("waits for a slow call while the server answers health checks", async () => {
  responses = { "/api/dataset/data": "silent" };
  const call = request(getDatasets).catch(() => "failed");
  await new Promise((later) => setTimeout(later, 3000));
  expect(getReach()).toBe("reachable");
  await stop();
  await expect(call).resolves.toEqual(HERE);
  await listen(port);
});

it("passes on a broken connection as an error while the server answers health checks", async () => {
  responses = { "/api/dataset/data": "broken" };
  await expect(request(getDatasets)).rejects.toMatchObject({ status: 0 });
  expect(getReach()).toBe("reachable");
});

it("never replaces an error from the server with local data", async () => {
  for (const status of [401, 403, 404, 500]) {
    responses = { "/api/dataset/data": status };
    await expect(request(getDatasets)).rejects.toMatchObject({ status });
  }
  expect(getReach()).toBe("reachable");
});

it("treats the response of a proxy that cannot reach the server as away", async () => {
  responses = { "/api/dataset/data": 502, "/api/health": 502 };
  await expect(request(getDatasets)).resolves.toEqual(HERE);
  expect(getReach()).toBe("away");
});

it("is reachable again with the first response, and reports it once", async () => {
  await stop();
  await request(getDatasets);
  let returns = 0;
  const stopListening = onReturn(() => returns++);
  await listen(port);
  await eventually(() => expect(getReach()).toBe("reachable"));
  await expect(request(getDatasets)).resolves.toEqual({ from: "server" });
  stopListening();
  expect(returns).toBe(1);
  expect(noted).toEqual([[getDatasets, { from: "server" }]]);
});

it("checks at once when the network has changed", async () => {
  await stop();
  await request(getDatasets);
  await new Promise((later) => setTimeout(later, 1500));
  await listen(port);
  seen = [];
  checkReach();
  await eventually(() => expect(getReach()).toBe("reachable"));
  expect(seen).toEqual([`/api${getHealth.path}`]);
});

it("fails a covered call without local data after two seconds", async () => {
  responses = { "/api/dataset/data": "silent", "/api/health": "silent" };
  local = undefined;
  const [error, ms] = await timed(request(getDatasets).catch((error: unknown) => error));
  expect(error).toMatchObject({ status: 0 });
  expect(ms).toBeLessThan(BEFORE_CHECK_LIMIT_MS);
});

it("leaves other reads and commands to fail as they would without copies", async () => {
  await stop();
  await expect(request(listMembers, { params: { id: 1 } })).rejects.toMatchObject({ status: 0 });
  await expect(request(createToken, { body: { name: "x" } })).rejects.toMatchObject({ status: 0 });
  await eventually(() => expect(getReach()).toBe("away"));
  await listen(port);
});

describe("a command that this browser can execute", () => {
  const input = { body: { name: "Car" } };
  const LOCAL = { name: "Car", id: 40 };
  beforeEach(() => {
    endSessionCalls();
    giveAnswers({ ...ANSWERS, covers: (call) => call === createCategory, find: async () => LOCAL });
  });

  it("is executed here while the server is away", async () => {
    await stop();
    await confirmAway();
    await expect(request(createCategory, input)).resolves.toEqual(LOCAL);
    await listen(port);
  });

  it("is not executed here if the server may have executed it before it went away", async () => {
    responses = { "/api/category/": "broken", "/api/health": "broken" };
    await expect(request(createCategory, input)).rejects.toMatchObject({ status: 0 });
    await eventually(() => expect(getReach()).toBe("away"));
    await expect(request(createCategory, input)).rejects.toMatchObject({ status: 0 });
    await expect(request(createCategory, { body: { name: "Bus" } })).resolves.toEqual(LOCAL);
    responses = {};
    await expect(request(createCategory, input)).resolves.toEqual({ from: "server" });
  });
});

it("ignores an aborted call", async () => {
  responses = { "/api/dataset/data": "silent", "/api/health": "silent" };
  const abort = new AbortController();
  const call = request(getDatasets, {}, { signal: abort.signal });
  setTimeout(() => abort.abort(new Error("left")), 100);
  await expect(call).rejects.toThrow("left");
  await new Promise((later) => setTimeout(later, 2500));
  expect(getReach()).toBe("reachable");
});

it("gives no local data to a session that has ended", async () => {
  await stop();
  giveAnswers({
    covers: () => true,
    find: () => new Promise((resolve) => setTimeout(() => resolve(HERE), 100)),
    note: () => undefined,
  });
  const call = request(getDatasets);
  setTimeout(endSessionCalls, 50);
  await expect(call).rejects.toBeInstanceOf(SessionEnded);
  await listen(port);
});

it("loads local answers for a call that the server does not answer, and not for others", async () => {
  giveAnswers(ANSWERS, true);
  await request(getDatasets);
  expect(noted).toEqual([]);
  await stop();
  expect(await request(getDatasets)).toBe(HERE);
  await eventually(async () => expect(noted).toEqual([[getDatasets, { from: "server" }]]));
  await listen(port);
});

it("lets wait for the return of the server, and not while it can be reached", async () => {
  await untilReachable();
  responses = { "/api/health": "broken" };
  expect(await confirmAway()).toBe(true);
  let isOver = false;
  const waiting = untilReachable().then(() => {
    isOver = true;
  });
  await Promise.resolve();
  expect(isOver).toBe(false);
  responses = {};
  await waiting;
  expect(getReach()).toBe("reachable");
});

it("looks for the next image of the queue in this browser only while the server is away", async () => {
  responses = { "/api/dataset/1/images/next": "broken" };
  await expect(requestNextImage(1, "ann", [])).rejects.toMatchObject({ status: 0 });
  expect(getReach()).toBe("reachable");
  local = { images: [{ id: 8 }, { id: 9 }] };
  giveAnswers({ ...ANSWERS, covers: (call) => call === getDataset });
  responses["/api/health"] = "broken";
  expect(await requestNextImage(1, "ann", [8])).toEqual({ imageId: 9, isAway: true, hasSkipped: false });
  expect(getReach()).toBe("away");
});
