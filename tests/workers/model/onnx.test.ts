import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openOnnx, threadsHere } from "../../../workers/model/onnx";
import { brightness, INPUT, OUTPUT, unbounded } from "../../support/networks";

const WASM = readFileSync("node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.wasm");

describe("threadsHere", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("is one where memory cannot be shared, as in some browsers even on isolated pages", () => {
    vi.stubGlobal("navigator", { hardwareConcurrency: 8 });
    vi.stubGlobal("crossOriginIsolated", true);
    expect(threadsHere()).toBe(4);
    vi.stubGlobal("SharedArrayBuffer", undefined);
    expect(threadsHere()).toBe(1);
  });
});

describe("openOnnx with WebAssembly", () => {
  it("returns a plane of probabilities", async () => {
    const session = await openOnnx("wasm", WASM, brightness());
    const [height, width] = [32, 64];
    for (const red of [-1, 1]) {
      const data = new Float32Array(5 * height * width).fill(red, 0, height * width);
      const answer = await session.run({ data, height, width });
      expect(answer).toHaveLength(height * width);
      expect(new Set(answer)).toEqual(new Set([(red + 1) / 2]));
    }
  });

  it.each([
    ["garbage", Buffer.from("this is no network".repeat(1000)), /cannot be opened/],
    ["an empty file", Buffer.alloc(0), /cannot be opened/],
    ["half a network", brightness().subarray(0, 200), /cannot be opened/],
    ["a network with another input", brightness({ input: { name: "pixels", shape: ["n", 4, "h", "w"] } }), /"pixels"/],
    ["a network of three channels", brightness({ input: { ...INPUT, shape: ["n", 3, "h", "w"] } }), /shape/],
    ["a network of one size", brightness({ output: { ...OUTPUT, shape: [1, 1, 256, 256] } }), /not a DEXTR network/],
    ["a network whose outputs are not probabilities", unbounded(), /not probabilities/],
  ])("refuses %s", async (_, model, reason) => {
    await expect(openOnnx("wasm", WASM, model)).rejects.toThrow(reason);
  });

  it("rejects an input that the network does not accept with an OnnxError, and runs the next", async () => {
    const session = await openOnnx("wasm", WASM, brightness());
    const data = new Float32Array(5 * 32 * 32);
    await expect(session.run({ data, height: 64, width: 32 })).rejects.toMatchObject({ name: "OnnxError" });
    await expect(session.run({ data, height: 32, width: 32 })).resolves.toHaveLength(32 * 32);
  });
});
