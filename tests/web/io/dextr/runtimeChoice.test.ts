// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from "vitest";
import {
  orderOf,
  recallChoice,
  recallComparison,
  rememberChoice,
  rememberComparison,
  toldComparison,
} from "../../../../web/io/dextr/runtimeChoice";

const DAY = 24 * 60 * 60 * 1000;
const fastCard = { wasm: 120, webgpu: 12, at: 1000 };
const slowCard = { wasm: 120, webgpu: 300, at: 1000 };

beforeEach(() => localStorage.clear());

describe("the order in which runtimes are tried", () => {
  it("begins with WebAssembly until the graphics card was faster, and ends with the server", () => {
    expect(orderOf("auto", null)).toEqual(["wasm", "webgpu", "server"]);
    expect(orderOf("auto", slowCard)).toEqual(["wasm", "webgpu", "server"]);
    expect(orderOf("auto", fastCard)).toEqual(["webgpu", "wasm", "server"]);
  });

  it("begins with what was chosen by hand", () => {
    expect(orderOf("webgpu", slowCard)[0]).toBe("webgpu");
    expect(orderOf("wasm", fastCard)).toEqual(["wasm", "server"]);
    expect(orderOf("server", fastCard)).toEqual(["server"]);
  });
});

describe("what this browser remembers", () => {
  it("keeps the choice, and takes nonsense for none", () => {
    expect(recallChoice()).toBe("auto");
    rememberChoice("server");
    expect(recallChoice()).toBe("server");
    localStorage.setItem("limn.dextr.choice", '"cuda"');
    expect(recallChoice()).toBe("auto");
  });

  it("keeps a comparison for two weeks, as far as clocks can be trusted", () => {
    rememberComparison(fastCard);
    expect(recallComparison(1000 + 13 * DAY)).toEqual(fastCard);
    expect(recallComparison(1000 + 15 * DAY)).toBeNull();
    expect(recallComparison(1000 - 15 * DAY)).toBeNull();
    localStorage.setItem("limn.dextr.comparison", '{"wasm":"fast"}');
    expect(recallComparison(1000)).toBeNull();
  });
});

it("tells a comparison with the faster first", () => {
  expect(toldComparison(fastCard)).toBe("12 ms a run, WebAssembly 120 ms");
  expect(toldComparison(slowCard)).toBe("120 ms a run, the graphics card 300 ms");
});
