import { Worker as NodeWorker } from "node:worker_threads";
import { afterEach, describe, expect, it } from "vitest";
import { hasDied, WorkerThread } from "../../../../web/io/workers/workerThread";
import type { Life } from "../../../../workers/life";

/** A Node thread with the interface of a browser's worker. */
class Thread extends EventTarget {
  private readonly thread: NodeWorker;

  constructor(source: string) {
    super();
    this.thread = new NodeWorker(source, { eval: true });
    this.thread.on("message", (data) => this.dispatchEvent(new MessageEvent("message", { data })));
    this.thread.on("error", () => this.dispatchEvent(new Event("error")));
  }

  postMessage(message: unknown): void {
    this.thread.postMessage(message);
  }

  start(): void {}

  terminate(): void {
    void this.thread.terminate();
  }
}

interface Functions extends Life {
  add(a: number, b: number): number;
  later(ms: number): number;
  exit(): number;
  loop(): number;
  refuse(): void;
  hang(): number;
  crash(): number;
}

const GOOD = `
  const { parentPort } = require("node:worker_threads");
  const { expose } = require("comlink");
  expose({
    ping: () => undefined,
    holdLock: () => undefined,
    add: (a, b) => a + b,
    later: (ms) => new Promise((done) => setTimeout(() => done(ms), ms)),
    exit: () => process.exit(),
    loop: () => { for (;;); },
    refuse: () => { throw new Error("That is malformed"); },
    hang: () => new Promise(() => undefined),
    crash: () => new Promise(() => setTimeout(() => { throw new Error("gone"); })),
  }, require("comlink/dist/umd/node-adapter")(parentPort));
`;

/** Allows for threads that start slowly on a busy machine. */
const SHORT = { starting: 60_000, idle: 500, busy: 1_500 };

describe("WorkerThread", () => {
  const open: WorkerThread<Functions>[] = [];
  afterEach(() => {
    for (const thread of open.splice(0)) thread.close();
  });

  function threadOf(...sources: string[]) {
    const started: string[] = [];
    const threads: Thread[] = [];
    const thread = new WorkerThread<Functions>(
      () => {
        const source = sources[started.length] ?? GOOD;
        started.push(source);
        const made = new Thread(source);
        threads.push(made);
        return made as unknown as Worker;
      },
      { patience: SHORT },
    );
    open.push(thread);
    return { thread, started, threads };
  }

  it("starts one worker with the first call", async () => {
    const { thread, started } = threadOf();
    expect(started).toHaveLength(0);
    const sums = await Promise.all([1, 2, 3].map((n) => thread.call((to) => to.add(n, 1))));
    expect(sums).toEqual([2, 3, 4]);
    expect(started).toHaveLength(1);
  });

  it("passes on the error of a function and keeps the worker", async () => {
    const { thread, started } = threadOf();
    await expect(thread.call((to) => to.refuse())).rejects.toThrow("That is malformed");
    await expect(thread.call((to) => to.add(1, 1))).resolves.toBe(2);
    expect(started).toHaveLength(1);
  });

  it("rejects all calls in flight when the worker crashes, and starts another for the next call", async () => {
    const { thread, started } = threadOf();
    const calls = [thread.call((to) => to.hang()), thread.call((to) => to.crash()), thread.call((to) => to.hang())];
    for (const answer of await Promise.allSettled(calls)) {
      expect(answer).toMatchObject({ status: "rejected", reason: { message: expect.stringMatching(/has failed/) } });
    }
    await expect(thread.call((to) => to.add(2, 2))).resolves.toBe(4);
    expect(started).toHaveLength(2);
  });

  it("rejects if the worker cannot be loaded, and retries with the next call", async () => {
    const { thread, started } = threadOf("throw new Error('not found')", "this is no script");
    await expect(thread.call((to) => to.add(1, 1))).rejects.toThrow(/has failed/);
    await expect(thread.call((to) => to.add(1, 1))).rejects.toThrow(/has failed/);
    await expect(thread.call((to) => to.add(1, 1))).resolves.toBe(2);
    expect(started).toHaveLength(3);
  });

  it("rejects if no worker can be created at all", async () => {
    const thread = new WorkerThread<Functions>(() => {
      throw new Error("Workers are not allowed here");
    });
    await expect(thread.call((to) => to.add(1, 1))).rejects.toThrow("Workers are not allowed here");
  });

  it("rejects calls in flight when it is closed, and every later call", async () => {
    const { thread, started } = threadOf();
    const call = thread.call((to) => to.hang());
    thread.close();
    await expect(call).rejects.toThrow(/was ended/);
    await expect(thread.call((to) => to.add(1, 1))).rejects.toThrow(/was ended/);
    expect(started).toHaveLength(1);
  });

  it("rejects the calls of a worker that has vanished silently, and starts another", async () => {
    const { thread, started, threads } = threadOf();
    await thread.call((to) => to.add(1, 1));
    threads[0]?.terminate();
    await expect(thread.call((to) => to.add(1, 1))).rejects.toThrow(/has failed/);
    await expect(thread.call((to) => to.exit())).rejects.toThrow(/did not respond/);
    await expect(thread.call((to) => to.add(1, 2))).resolves.toBe(3);
    expect(started).toHaveLength(3);
  });

  it("asks another worker once if the first had died before the call", async () => {
    const { thread, started, threads } = threadOf();
    await thread.call((to) => to.add(1, 1));
    threads[0]?.terminate();
    await expect(thread.callTwice((to) => to.add(1, 2))).resolves.toBe(3);
    expect(started).toHaveLength(2);
  });

  it("rejects if a second worker dies during the same call, and starts another for the next call", async () => {
    const { thread, started } = threadOf();
    const failed = await thread.callTwice((to) => to.crash()).catch((error: unknown) => error);
    expect(hasDied(failed)).toBe(true);
    expect(started).toHaveLength(2);
    await expect(thread.call((to) => to.add(1, 2))).resolves.toBe(3);
  });

  it("ends a worker that never finishes, and does not repeat the call", async () => {
    const { thread, started } = threadOf();
    await expect(thread.callTwice((to) => to.loop())).rejects.toThrow(/did not respond and was restarted/);
    expect(started).toHaveLength(1);
    await expect(thread.call((to) => to.add(1, 2))).resolves.toBe(3);
  });

  it("waits for long calls while the worker responds to pings", async () => {
    const { thread, started } = threadOf();
    await expect(thread.call((to) => to.later(4_000))).resolves.toBe(4_000);
    expect(started).toHaveLength(1);
  });
});
