// @vitest-environment jsdom
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { UploadQueue } from "../../../../web/pages/uploads/uploadQueue";
import type { UploadFile } from "../../../../web/pages/uploads/uploads";

/**
 * Responds to each request by the names it contains: `bad` is refused, `full` fails the whole request while the disk is
 * full, the others are added.
 */
let server: Server;
let requests: string[][];
let folders: string[];
let isFull: boolean;

beforeEach(async () => {
  requests = [];
  folders = [];
  isFull = true;
  server = createServer((incoming, outgoing) => {
    const headers = { "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "*" };
    if (incoming.method === "OPTIONS") return outgoing.writeHead(204, headers).end();
    // A health check of a module that this worker shares with earlier files.
    if (incoming.url === "/api/health") return outgoing.writeHead(200, headers).end("{}");
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      const paths = [...body.matchAll(/name="paths"\r\n\r\n(.*)\r\n/g)].map((one) => one[1]!);
      requests.push(paths);
      folders.push(/name="folder"\r\n\r\n(.*)\r\n/.exec(body)?.[1] ?? "");
      if (isFull && paths.some((path) => path.includes("full")))
        return outgoing.writeHead(503, headers).end('{"message":"The disk is full."}');
      const files = paths.map((path) =>
        path.includes("bad")
          ? { path, status: "refused", id: null, message: "No image." }
          : { path, status: "added", id: 1, message: null },
      );
      outgoing.writeHead(200, headers).end(JSON.stringify({ files }));
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  document.head.innerHTML = `<base href="http://127.0.0.1:${(server.address() as AddressInfo).port}/">`;
});
afterEach(() => {
  server.closeAllConnections();
  return new Promise((done) => server.close(done));
});

const files = (...paths: string[]): UploadFile[] => paths.map((path) => ({ path, file: new File(["x"], path) }));
const many = (count: number, name: string) =>
  files(...Array.from({ length: count }, (_, index) => `${name}${index}.jpg`));

function over(queue: UploadQueue): Promise<void> {
  return new Promise((done) => {
    const off = queue.subscribe(() => {
      if (queue.getState().isActive) return;
      off();
      done();
    });
  });
}

it("sends all files, reports each refusal, and continues after a failed request", async () => {
  let finished = 0;
  const queue = new UploadQueue(3, () => finished++);
  queue.add([...many(19, "a"), ...files("bad.txt"), ...many(20, "full"), ...many(2, "c")], "");
  await over(queue);
  expect(requests.map((paths) => paths.length)).toEqual([20, 20, 2]);
  expect(finished).toBe(3);
  const { total, done, added, results } = queue.getState();
  expect({ total, done, added }).toEqual({ total: 42, done: 42, added: 21 });
  expect(results).toHaveLength(21);
  expect(results[0]).toMatchObject({ path: "bad.txt", message: "No image.", isFailure: true });
  expect(results[1]).toMatchObject({ path: "full0.jpg", message: "The disk is full.", isFailure: true });
});

it("retries what the server could not store, but not what it has refused", async () => {
  const queue = new UploadQueue(3, () => {});
  queue.add(files("bad.txt"), "");
  await over(queue);
  expect(queue.getState().results[0]?.retry).toBeUndefined();
  queue.clear();
  queue.add(files("full.jpg"), "");
  await over(queue);
  expect(queue.getState().results[0]?.retry?.path).toBe("full.jpg");
});

it("retries with the original folder, and keeps refused files listed", async () => {
  const queue = new UploadQueue(3, () => {});
  queue.add([...many(19, "a"), ...files("bad.txt")], "");
  queue.add(files("full.jpg"), "trip");
  await over(queue);
  isFull = false;
  queue.retry();
  expect(queue.getState()).toMatchObject({ total: 21, done: 20, isActive: true });
  await over(queue);
  expect(requests.at(-1)).toEqual(["full.jpg"]);
  expect(folders).toEqual(["", "trip", "trip"]);
  expect(queue.getState()).toMatchObject({ total: 21, done: 21, added: 20 });
  expect(queue.getState().results.map(({ path }) => path)).toEqual(["bad.txt"]);
});

it("accounts for every file when it is cancelled half-way", async () => {
  const queue = new UploadQueue(3, () => {});
  queue.add(many(70, "a"), "");
  queue.cancel();
  await over(queue);
  const { total, done, added, results } = queue.getState();
  expect(total).toBe(70);
  expect(done).toBe(70);
  expect(added + results.filter((result) => result.message === "Cancelled.").length).toBe(70);
});

it("accepts more files while it is running", async () => {
  const queue = new UploadQueue(3, () => {});
  queue.add(many(2, "a"), "");
  queue.add(many(2, "b"), "sub");
  await over(queue);
  expect(requests.map((paths) => paths[0])).toEqual(["a0.jpg", "b0.jpg"]);
  expect(queue.getState()).toMatchObject({ total: 4, done: 4, added: 4, isActive: false });
});
