// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from "vitest";
import {
  describeComparison,
  orderOf,
  recallChoice,
  recallComparison,
  rememberChoice,
  rememberComparison,
} from "../../../../web/io/dextr/runtimeChoice";

const DAY = 24 * 60 * 60 * 1000;
const fastCard = { wasm: 120, webgpu: 12, at: 1000 };
const slowCard = { wasm: 120, webgpu: 300, at: 1000 };

beforeEach(() => localStorage.clear());

describe("the order in which runtimes are tried", () => {
  it("starts with WebAssembly until the graphics card was faster, and ends with the server", () => {
    expect(orderOf("auto", null)).toEqual(["wasm", "webgpu", "server"]);
    expect(orderOf("auto", slowCard)).toEqual(["wasm", "webgpu", "server"]);
    expect(orderOf("auto", fastCard)).toEqual(["webgpu", "wasm", "server"]);
  });

  it("starts with the chosen runtime", () => {
    expect(orderOf("webgpu", slowCard)[0]).toBe("webgpu");
    expect(orderOf("wasm", fastCard)).toEqual(["wasm", "server"]);
    expect(orderOf("server", fastCard)).toEqual(["server"]);
  });
});

describe("the settings that this browser remembers", () => {
  it("the settings include the choice, and invalid values count as none", () => {
    expect(recallChoice()).toBe("auto");
    rememberChoice("server");
    expect(recallChoice()).toBe("server");
    localStorage.setItem("limn.dextr.choice", '"cuda"');
    expect(recallChoice()).toBe("auto");
  });

  it("the settings include a comparison for two weeks, if the clock is plausible", () => {
    rememberComparison(fastCard);
    expect(recallComparison(1000 + 13 * DAY)).toEqual(fastCard);
    expect(recallComparison(1000 + 15 * DAY)).toBeNull();
    expect(recallComparison(1000 - 15 * DAY)).toBeNull();
    localStorage.setItem("limn.dextr.comparison", '{"wasm":"fast"}');
    expect(recallComparison(1000)).toBeNull();
  });
});

it("describes a comparison with the faster runtime first", () => {
  expect(describeComparison(fastCard)).toBe("12 ms a run, WebAssembly 120 ms");
  expect(describeComparison(slowCard)).toBe("120 ms a run, the graphics card 300 ms");
});
