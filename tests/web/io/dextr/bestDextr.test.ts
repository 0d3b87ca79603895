// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from "vitest";
import { BestDextr } from "../../../../web/io/dextr/bestDextr";
import type { DextrResult, Runtime } from "../../../../web/io/dextr/dextr";
import { type DextrRuntime, RuntimeFailed } from "../../../../web/io/dextr/dextrRuntime";
import { eventually } from "../../../support/eventually";

const IMAGE = { id: 1, address: "http://127.0.0.1/1" };
const REQUEST = { points: [], more: [], padding: 50, threshold: 80 };
const never = () => new AbortController().signal;

/** A runtime of which the test can replace every part. */
class Place implements DextrRuntime {
  readonly asked: string[] = [];
  ms = 100;
  open = async (): Promise<string> => {
    this.asked.push("open");
    return `How ${this.name} runs`;
  };
  predict = async (): Promise<DextrResult> => {
    this.asked.push("predict");
    return { rings: [], runtime: this.name, outline: async () => [] };
  };
  measure = async () => this.ms;
  preload = async () => void this.asked.push("preload");
  release = () => void this.asked.push("release");
  stop = () => void this.asked.push("stop");

  constructor(readonly name: Runtime) {}
}

function places() {
  const runtimes = { webgpu: new Place("webgpu"), wasm: new Place("wasm"), server: new Place("server") };
  const refuse = (name: Runtime, reason: Error) => {
    runtimes[name].open = () => Promise.reject(reason);
  };
  refuse("webgpu", new Error("this browser offers no graphics card"));
  return { ...runtimes, refuse, dextr: new BestDextr(runtimes) };
}

beforeEach(() => localStorage.clear());

describe("without a chosen runtime", () => {
  it("loads nothing before the first use", () => {
    const { wasm, dextr } = places();
    expect(wasm.asked).toEqual([]);
    expect(dextr.status.getState()).toEqual({ choice: "auto", runtime: null, why: "", loading: null, error: null });
  });

  it("prepares the runtime and the image", async () => {
    const { wasm, dextr } = places();
    dextr.prepare(IMAGE);
    await eventually(() => expect(wasm.asked).toEqual(["open", "preload"]));
  });

  it("uses WebAssembly without a graphics card, and reports why", async () => {
    const { dextr } = places();
    expect((await dextr.predict(IMAGE, REQUEST, never())).runtime).toBe("wasm");
    await eventually(() =>
      expect(dextr.status.getState()).toMatchObject({
        runtime: "wasm",
        why: "How wasm runs. WebGPU: this browser offers no graphics card.",
      }),
    );
  });

  it("uses WebAssembly first, then a faster graphics card, which is used at once the next time", async () => {
    const { webgpu, wasm, dextr } = places();
    webgpu.open = async () => "WebGPU on a card";
    webgpu.ms = 10;
    expect((await dextr.predict(IMAGE, REQUEST, never())).runtime).toBe("wasm");
    await eventually(() => expect(dextr.status.getState().runtime).toBe("webgpu"));
    expect(dextr.status.getState().why).toBe("WebGPU on a card: 10 ms a run, WebAssembly 100 ms.");
    expect(wasm.asked).toContain("stop");
    expect((await dextr.predict(IMAGE, REQUEST, never())).runtime).toBe("webgpu");

    const later = places();
    later.webgpu.open = async () => "WebGPU on a card";
    expect((await later.dextr.predict(IMAGE, REQUEST, never())).runtime).toBe("webgpu");
    expect(later.wasm.asked).toEqual([]);
  });

  it("stays with WebAssembly if the graphics card is slower, and does not try it the next time", async () => {
    const { webgpu, dextr } = places();
    webgpu.open = async () => "WebGPU on a card";
    webgpu.ms = 300;
    await dextr.predict(IMAGE, REQUEST, never());
    await eventually(() => expect(webgpu.asked).toEqual(["stop"]));
    expect((await dextr.predict(IMAGE, REQUEST, never())).runtime).toBe("wasm");
    expect(dextr.status.getState().why).toBe("How wasm runs: 100 ms a run, the graphics card 300 ms.");

    const later = places();
    later.webgpu.open = vi.fn(async () => "WebGPU on a card");
    await later.dextr.predict(IMAGE, REQUEST, never());
    await new Promise((done) => setTimeout(done));
    expect(later.webgpu.open).not.toHaveBeenCalled();
  });

  it("continues with the server if neither browser runtime opens, and reports both reasons", async () => {
    const { refuse, dextr } = places();
    refuse("wasm", new Error("The network cannot be opened: it is garbage."));
    expect((await dextr.predict(IMAGE, REQUEST, never())).runtime).toBe("server");
    expect(dextr.status.getState().why).toBe(
      "How server runs. WebAssembly: The network cannot be opened: it is garbage. WebGPU: this browser offers no graphics card.",
    );
  });

  it("retries a runtime that was unreachable, not one that cannot run", async () => {
    const { wasm, webgpu, dextr } = places();
    wasm.open = vi.fn(() => Promise.reject(Object.assign(new Error("away"), { name: "Unreachable" })));
    webgpu.open = vi.fn(() => Promise.reject(new Error("none")));
    await dextr.predict(IMAGE, REQUEST, never());
    await dextr.predict(IMAGE, REQUEST, never());
    expect(wasm.open).toHaveBeenCalledTimes(2);
    expect(webgpu.open).toHaveBeenCalledTimes(1);
  });

  it("reports a crash, uses the same runtime for the next call, and clears the report on success", async () => {
    const { wasm, dextr } = places();
    const predict = wasm.predict;
    wasm.predict = () => Promise.reject(new RuntimeFailed("It has crashed."));
    await expect(dextr.predict(IMAGE, REQUEST, never())).rejects.toThrow("It has crashed.");
    expect(dextr.status.getState().error).toBe("It has crashed.");
    wasm.predict = predict;
    expect((await dextr.predict(IMAGE, REQUEST, never())).runtime).toBe("wasm");
    expect(dextr.status.getState().error).toBeNull();
  });

  it("shows that a runtime has recovered until the second success", async () => {
    const { dextr } = places();
    dextr.showNotice("It was started anew.");
    await dextr.predict(IMAGE, REQUEST, never());
    expect(dextr.status.getState().error).toBe("It was started anew.");
    await dextr.predict(IMAGE, REQUEST, never());
    expect(dextr.status.getState().error).toBeNull();
  });

  it("uses the next runtime if one crashes twice in a row", async () => {
    const { wasm, dextr } = places();
    wasm.predict = () => Promise.reject(new RuntimeFailed("It has crashed."));
    await expect(dextr.predict(IMAGE, REQUEST, never())).rejects.toThrow("It has crashed.");
    expect((await dextr.predict(IMAGE, REQUEST, never())).runtime).toBe("server");
    expect(dextr.status.getState().why).toContain("WebAssembly: It has crashed.");
  });

  it("passes on an input error, however often it occurs", async () => {
    const { wasm, dextr } = places();
    wasm.predict = () => Promise.reject(new Error("The image cannot be decoded."));
    for (let i = 0; i < 3; i++)
      await expect(dextr.predict(IMAGE, REQUEST, never())).rejects.toThrow("The image cannot be decoded.");
    expect(dextr.status.getState().runtime).toBe("wasm");
  });
});

describe("with a chosen runtime", () => {
  it("uses the choice, remembers it, and shows it without waiting for the next call", async () => {
    const { webgpu, dextr } = places();
    webgpu.open = async () => "WebGPU on SwiftShader, which is simulated and slow";
    await dextr.predict(IMAGE, REQUEST, never());
    dextr.choose("webgpu");
    await eventually(() => expect(dextr.status.getState().runtime).toBe("webgpu"));
    expect(dextr.status.getState().why).toBe("WebGPU on SwiftShader, which is simulated and slow, as chosen.");
    expect(places().dextr.status.getState().choice).toBe("webgpu");
  });

  it("loads nothing when it is created, only at the first use", () => {
    const { wasm, dextr } = places();
    dextr.choose("wasm");
    expect(wasm.asked).toEqual([]);
  });

  it("falls back to the next runtime if the chosen one cannot run, and reports why", async () => {
    const { dextr } = places();
    dextr.choose("webgpu");
    expect((await dextr.predict(IMAGE, REQUEST, never())).runtime).toBe("wasm");
    expect(dextr.status.getState().why).toBe("How wasm runs. WebGPU: this browser offers no graphics card.");
  });

  it("retries a runtime that was given up before", async () => {
    const { wasm, refuse, dextr } = places();
    const open = wasm.open;
    refuse("wasm", new Error("broken"));
    await dextr.predict(IMAGE, REQUEST, never());
    wasm.open = open;
    dextr.choose("wasm");
    expect((await dextr.predict(IMAGE, REQUEST, never())).runtime).toBe("wasm");
  });

  it("stays with the server if it fails", async () => {
    const { wasm, server, dextr } = places();
    dextr.choose("server");
    server.predict = () => Promise.reject(new Error("DEXTR is not installed on this server."));
    for (let i = 0; i < 3; i++) await expect(dextr.predict(IMAGE, REQUEST, never())).rejects.toThrow("not installed");
    expect(wasm.asked).toEqual([]);
    expect(dextr.status.getState().error).toContain("not installed");
  });
});

describe("an aborted call", () => {
  it("rejects at once while a runtime opens, and leaves it opening for the next call", async () => {
    const { wasm, dextr } = places();
    let open = (_: string) => {};
    wasm.open = () => new Promise((resolve) => (open = resolve));
    const aborting = new AbortController();
    const call = dextr.predict(IMAGE, REQUEST, aborting.signal);
    aborting.abort(new Error("Escape"));
    await expect(call).rejects.toThrow("Escape");
    const next = dextr.predict(IMAGE, REQUEST, never());
    open("How wasm runs");
    expect((await next).runtime).toBe("wasm");
    expect(dextr.status.getState().error).toBeNull();
  });

  it("does not count as a failure of the runtime", async () => {
    const { wasm, dextr } = places();
    const aborting = new AbortController();
    wasm.predict = () => {
      aborting.abort(new Error("Escape"));
      return Promise.reject(new RuntimeFailed("stopped"));
    };
    await expect(dextr.predict(IMAGE, REQUEST, aborting.signal)).rejects.toThrow("Escape");
    expect(dextr.status.getState().error).toBeNull();
  });
});
