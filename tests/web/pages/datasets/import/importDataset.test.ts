// @vitest-environment jsdom
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it } from "vitest";
import { endSessionCalls, SessionEnded } from "../../../../../web/io/http/sessionCalls";
import { importDataset, type Progress } from "../../../../../web/pages/datasets/import/importDataset";
import { eventually } from "../../../../support/eventually";

/** A server as seen by an import: with a task that runs until it is cancelled or `finish` is called. */
let server: Server;
let requested: string[];
let task: { id: number; state: string };
/** Handlers called once in place of the server's own response, by call. */
let instead: Map<string, (response: ServerResponse) => void>;

beforeEach(async () => {
  requested = [];
  instead = new Map();
  task = { id: 0, state: "" };
  server = createServer((incoming, outgoing) => {
    outgoing.setHeader("Access-Control-Allow-Origin", "*");
    outgoing.setHeader("Access-Control-Allow-Headers", "*");
    if (incoming.method === "OPTIONS") return outgoing.writeHead(204).end();
    // A health check of a module that this worker shares with earlier files.
    if (incoming.url === "/api/health") return outgoing.end("{}");
    const call = `${incoming.method} ${incoming.url?.split("?")[0]}`;
    incoming.resume().on("end", () => {
      requested.push(call);
      const body = answerOf(call);
      const other = instead.get(call);
      instead.delete(call);
      if (other) other(outgoing);
      else outgoing.end(JSON.stringify(body));
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  document.head.innerHTML = `<base href="http://127.0.0.1:${(server.address() as AddressInfo).port}/">`;
});
afterEach(() => {
  server.closeAllConnections();
  return new Promise((done) => server.close(done));
});

function answerOf(call: string): unknown {
  if (call === "POST /api/dataset/") return { id: 7 };
  if (call === "POST /api/dataset/7/coco") {
    task = { id: task.id + 1, state: "running" };
    return { id: task.id };
  }
  if (/^POST .*cancel$/.test(call)) {
    // A task that has ended stays as it is.
    if (task.state === "running") task.state = "cancelled";
    return { success: true };
  }
  if (call !== "GET /api/tasks/") return {};
  const completed = task.state !== "running";
  return task.id === 0
    ? []
    : [{ ...task, completed, progress: 0, group: "import", dataset_id: 7, result: { made: 3 } }];
}

const choice = { name: "Shop", annotations: new File(["{}"], "coco.json"), images: [] };

function start(progress: Progress = { left: [], refused: [] }, abort = new AbortController()) {
  const steps: string[] = [];
  const onStep = ({ text }: { text: string }) => void steps.push(text);
  const done = importDataset(choice, progress, { client: new QueryClient(), signal: abort.signal, onStep });
  return { done, progress, steps, cancel: () => abort.abort(new Error("Cancelled")) };
}
const isAsked = (call: string, times = 1) =>
  eventually(() => expect(requested.filter((each) => each === call)).toHaveLength(times));

it("returns the report when the task is done, though the server was briefly unreachable", async () => {
  instead.set("GET /api/tasks/", (response) => void response.writeHead(503).end());
  const { done } = start();
  await isAsked("POST /api/dataset/7/coco");
  instead.set("GET /api/tasks/", (response) => void response.destroy());
  task.state = "done";
  await expect(done).resolves.toEqual({ made: 3 });
  expect(requested.filter((call) => call.endsWith("/coco"))).toHaveLength(1);
});

it("cancels the server's task when it is cancelled, and imports again on retry", async () => {
  const { done, cancel, progress } = start();
  await isAsked("POST /api/dataset/7/coco");
  await isAsked("GET /api/tasks/", 2);
  cancel();
  await expect(done).rejects.toThrow("Cancelled");
  expect(task.state).toBe("cancelled");
  const again = start(progress);
  await isAsked("POST /api/dataset/7/coco", 2);
  task.state = "done";
  await expect(again.done).resolves.toEqual({ made: 3 });
  expect(requested.filter((call) => call === "POST /api/dataset/")).toHaveLength(1);
});

it("sends nothing if it was cancelled before it started", async () => {
  const abort = new AbortController();
  abort.abort(new Error("Cancelled"));
  const { done, progress } = start(undefined, abort);
  await expect(done).rejects.toThrow("Cancelled");
  expect(requested).toEqual([]);
  expect(progress.datasetId).toBeUndefined();
});

it("returns the report of an import that finished before it could be cancelled", async () => {
  const { done, cancel } = start();
  await isAsked("GET /api/tasks/", 2);
  task.state = "done";
  cancel();
  await expect(done).resolves.toEqual({ made: 3 });
});

it("continues with the same task after the server was unreachable for a long time", async () => {
  const { done, progress } = start();
  await isAsked("GET /api/tasks/", 2);
  instead.set("GET /api/tasks/", (response) => void response.writeHead(403).end('{"message":"No."}'));
  await expect(done).rejects.toMatchObject({ status: 403 });
  const again = start(progress);
  task.state = "done";
  await expect(again.done).resolves.toEqual({ made: 3 });
  expect(requested.filter((call) => call.endsWith("/coco"))).toHaveLength(1);
});

it("does nothing more in the next user's session", async () => {
  const unpacking = { id: 9, state: "running", completed: false, progress: 0, group: "Image Upload", dataset_id: 7 };
  instead.set("GET /api/tasks/", (response) => void response.end(JSON.stringify([unpacking])));
  const { done, steps } = start();
  // The import pauses before it asks again.
  await eventually(() => expect(steps).toContain("Unpacking images"));
  endSessionCalls();
  await expect(done).rejects.toThrow(SessionEnded);
  expect(requested).toEqual(["POST /api/dataset/", "GET /api/tasks/"]);
});
