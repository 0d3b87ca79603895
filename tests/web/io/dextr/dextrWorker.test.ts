import { Worker as NodeWorker, type Transferable } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DextrWorker } from "../../../../web/io/dextr/dextrWorker";

/** A Node thread with the interface of a browser's worker. */
class Thread extends EventTarget {
  /** Number of runs that have started. */
  private readonly runs = new Int32Array(new SharedArrayBuffer(4));
  private readonly thread = new NodeWorker(SOURCE, { eval: true, workerData: this.runs });

  constructor() {
    super();
    this.thread.on("message", (data) => this.dispatchEvent(new MessageEvent("message", { data })));
    this.thread.on("error", () => this.dispatchEvent(new Event("error")));
  }

  postMessage(message: unknown, transfer?: readonly Transferable[]): void {
    this.thread.postMessage(message, transfer);
  }

  start(): void {}

  async hasBegun(): Promise<void> {
    while (Atomics.load(this.runs, 0) === 0) await soon(5);
  }

  terminate(): void {
    void this.thread.terminate();
  }
}

/** Paddings that select the behaviour of this test's worker. */
const PADDING = { answer: 50, hang: 1, crash: 2, onnx: 3, refuse: 4, vanish: 5, short: 6 };

const SOURCE = `
  const { parentPort, workerData } = require("node:worker_threads");
  const { expose } = require("comlink");
  const rings = (...ring) => ({
    coordinates: Float64Array.from(ring), ringLengths: Uint32Array.of(ring.length), polygonLengths: Uint32Array.of(1),
  });
  const fail = (name, message) => { throw Object.assign(new Error(message), { name }); };
  let model, held;
  expose({
    ping: () => undefined,
    open: async (setup, onLoad) => {
      if (setup.size === 1) fail("Error", "The network cannot be opened.");
      if (setup.size === 2) await new Promise(() => undefined);
      await onLoad(5, 10);
      await onLoad(10, 10);
      model = setup;
      return { threads: 2, adapter: "a card", isSoftware: setup.mayBeSoftware };
    },
    measure: () => 7,
    hold: (address) => { held = address; },
    release: () => { held = undefined; },
    segment: async (address, { padding, threshold }) => {
      Atomics.add(workerData, 0, 1);
      if (!model || held !== address) fail("Error", "nothing is there");
      if (padding === 1) await new Promise(() => undefined);
      if (padding === 2) await new Promise(() => setTimeout(() => { throw new Error("gone"); }));
      if (padding === 3) fail("OnnxError", "out of memory");
      if (padding === 4) fail("Error", "The image cannot be read.");
      if (padding === 5) process.exit();
      if (padding === 6) await new Promise((done) => setTimeout(done, 60));
      return { rings: rings(threshold, 0, 1, 0, 1, 1), prediction: { size: threshold } };
    },
    outline: ({ size }, threshold) => rings(size, threshold),
  }, require("comlink/dist/umd/node-adapter")(parentPort));
`;

const RESTARTED = "DEXTR had stopped unexpectedly and was restarted.";
const IMAGE = { id: 1, address: "http://127.0.0.1/1" };
const realTimeout = setTimeout;
const soon = (ms = 50) => new Promise((done) => realTimeout(done, ms));
const never = () => new AbortController().signal;
const requested = (padding: number, threshold = 80) => ({ points: [], more: [], padding, threshold });

const open: DextrWorker[] = [];
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => {
  vi.useRealTimers();
  for (const worker of open.splice(0)) worker.stop();
});

function dextrWorker(setup: { size?: number; mayBeSoftware?: boolean } = {}) {
  const started: Thread[] = [];
  const progressEvents: unknown[] = [];
  const restarts: string[] = [];
  const wanted = { model: null, size: 256, mayBeSoftware: false, ...setup };
  const worker = new DextrWorker(setup.mayBeSoftware ? "webgpu" : "wasm", {
    start: () => {
      started.push(new Thread());
      return started.at(-1) as unknown as Worker;
    },
    setup: async () => wanted,
    onLoad: (progress) => progressEvents.push(progress),
    onRestart: (message) => restarts.push(message),
  });
  open.push(worker);
  return { worker, started, progressEvents, restarts, wanted };
}

describe("DextrWorker", () => {
  it("opens, reports what it has loaded and how it runs, and returns outlines for any threshold", async () => {
    const { worker, started, progressEvents } = dextrWorker();
    expect(started).toHaveLength(0);
    expect(await worker.open(IMAGE)).toBe("WebAssembly with 2 threads");
    expect(progressEvents).toEqual([{ received: 5, total: 10 }, { received: 10, total: 10 }, null]);
    const result = await worker.predict(IMAGE, requested(PADDING.answer), never());
    expect(result).toMatchObject({ runtime: "wasm", rings: [[[80, 0, 1, 0, 1, 1]]] });
    expect(await result.outline(30)).toEqual([[[80, 30]]]);
    expect(await worker.measure()).toBe(7);
    expect(started).toHaveLength(1);
  });

  it("rejects with the reason if it cannot be opened, and retries with another worker", async () => {
    const { worker, started, progressEvents, wanted } = dextrWorker({ size: 1 });
    await expect(worker.open()).rejects.toThrow("The network cannot be opened.");
    expect(progressEvents).toEqual([null]);
    wanted.size = 256;
    await worker.open();
    expect(started).toHaveLength(2);
  });

  it("rejects if opening never ends", async () => {
    const { worker } = dextrWorker({ size: 2 });
    const opening = worker.open();
    opening.catch(() => undefined);
    await soon();
    await vi.advanceTimersByTimeAsync(60_000);
    await expect(opening).rejects.toThrow("it did not start in time");
  });

  it("treats a run of 20 seconds as dead, reports it, and serves the next call", async () => {
    const { worker, started } = dextrWorker();
    await worker.open();
    const hanging = worker.predict(IMAGE, requested(PADDING.hang), never());
    hanging.catch(() => undefined);
    await started[0]!.hasBegun();
    await vi.advanceTimersByTimeAsync(19_000);
    expect(started).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1000);
    await expect(hanging).rejects.toMatchObject({
      name: "RuntimeFailed",
      message: "DEXTR did not respond in time and was restarted.",
    });
    expect((await worker.predict(IMAGE, requested(PADDING.answer), never())).rings).toHaveLength(1);
    expect(started).toHaveLength(2);
  });

  it("waits 120 seconds for a simulated graphics card", async () => {
    const { worker, started } = dextrWorker({ mayBeSoftware: true });
    expect(await worker.open()).toBe("WebGPU on a card, which is simulated and slow");
    const hanging = worker.predict(IMAGE, requested(PADDING.hang), never());
    let isOver = false;
    hanging.catch(() => (isOver = true));
    await started[0]!.hasBegun();
    await vi.advanceTimersByTimeAsync(119_000);
    await soon();
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1000);
    await expect(hanging).rejects.toThrow("did not respond in time");
  });

  it.each([
    ["crashes", PADDING.crash, /has failed/],
    ["cannot compute", PADDING.onnx, /out of memory/],
  ])("replaces a worker that %s", async (_, padding, reason) => {
    const { worker, started } = dextrWorker();
    await expect(worker.predict(IMAGE, requested(padding), never())).rejects.toMatchObject({
      name: "RuntimeFailed",
      message: expect.stringMatching(reason),
    });
    await worker.predict(IMAGE, requested(PADDING.answer), never());
    expect(started).toHaveLength(2);
  });

  it("passes on an input error, and keeps the worker", async () => {
    const { worker, started } = dextrWorker();
    const refused = worker.predict(IMAGE, requested(PADDING.refuse), never());
    await expect(refused).rejects.toMatchObject({ name: "Error", message: "The image cannot be read." });
    await worker.predict(IMAGE, requested(PADDING.answer), never());
    expect(started).toHaveLength(1);
  });

  it("replaces a worker that vanished silently before the next call", async () => {
    const { worker, started } = dextrWorker();
    const aborting = new AbortController();
    await worker.open();
    const vanishing = worker.predict(IMAGE, requested(PADDING.vanish), aborting.signal);
    await started[0]!.hasBegun();
    aborting.abort(new Error("Escape"));
    await expect(vanishing).rejects.toThrow("Escape");
    await vi.advanceTimersByTimeAsync(1000);
    const next = worker.predict(IMAGE, requested(PADDING.answer), never());
    await soon();
    await vi.advanceTimersByTimeAsync(3000);
    expect((await next).rings).toHaveLength(1);
    expect(started).toHaveLength(2);
  });

  it("detects a vanished idle worker by its silence", async () => {
    const { worker, started, restarts } = dextrWorker();
    await worker.predict(IMAGE, requested(PADDING.answer), never());
    started[0]!.terminate();
    const next = worker.predict(IMAGE, requested(PADDING.answer), never());
    await soon();
    expect(started).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(3000);
    expect((await next).rings).toHaveLength(1);
    expect(started).toHaveLength(2);
    await worker.predict(IMAGE, requested(PADDING.answer), never());
    expect(restarts).toEqual([RESTARTED]);
  });

  it("reports a restart after a crash while idle, but not if a call failed because of it", async () => {
    const { worker, started, restarts } = dextrWorker();
    await worker.open();
    started[0]!.dispatchEvent(new Event("error"));
    await worker.open();
    expect(restarts).toEqual([RESTARTED]);
    await expect(worker.predict(IMAGE, requested(PADDING.crash), never())).rejects.toThrow("has failed");
    await worker.predict(IMAGE, requested(PADDING.answer), never());
    worker.stop();
    await worker.predict(IMAGE, requested(PADDING.answer), never());
    expect(started).toHaveLength(4);
    expect(restarts).toEqual([RESTARTED]);
  });

  it("lets an aborted run finish if it ends soon, and then serves the next one", async () => {
    const { worker, started } = dextrWorker();
    await worker.open();
    const aborting = new AbortController();
    const aborted = worker.predict(IMAGE, requested(PADDING.short), aborting.signal);
    await started[0]!.hasBegun();
    const next = worker.predict(IMAGE, requested(PADDING.answer, 70), never());
    aborting.abort(new Error("Escape"));
    await expect(aborted).rejects.toThrow("Escape");
    expect((await next).rings[0]?.[0]?.[0]).toBe(70);
    expect(started).toHaveLength(1);
  });

  it("ends an aborted run that continues, so that the next one is not delayed", async () => {
    const { worker, started } = dextrWorker();
    await worker.open();
    const aborting = new AbortController();
    const aborted = worker.predict(IMAGE, requested(PADDING.hang), aborting.signal);
    await started[0]!.hasBegun();
    aborting.abort(new Error("Escape"));
    await expect(aborted).rejects.toThrow("Escape");
    const next = worker.predict(IMAGE, requested(PADDING.answer), never());
    await vi.advanceTimersByTimeAsync(1000);
    expect((await next).rings).toHaveLength(1);
    expect(started).toHaveLength(2);
  });

  it("never starts a call that was aborted while it waited", async () => {
    const { worker, started } = dextrWorker();
    await worker.open();
    const aborting = new AbortController();
    const first = worker.predict(IMAGE, requested(PADDING.short), never());
    const crashing = worker.predict(IMAGE, requested(PADDING.crash), aborting.signal);
    aborting.abort(new Error("Escape"));
    await expect(crashing).rejects.toThrow("Escape");
    await first;
    await worker.predict(IMAGE, requested(PADDING.answer), never());
    expect(started).toHaveLength(1);
  });

  it("computes outlines of earlier points after the worker was replaced", async () => {
    const { worker, started } = dextrWorker();
    const result = await worker.predict(IMAGE, requested(PADDING.answer), never());
    worker.stop();
    expect(await result.outline(10)).toEqual([[[80, 10]]]);
    started[1]!.terminate();
    const late = result.outline(20);
    await soon();
    await vi.advanceTimersByTimeAsync(3000);
    expect(await late).toEqual([[[80, 20]]]);
  });
});
