// @vitest-environment jsdom
import { afterEach, expect, it, vi } from "vitest";
import { forget, isNumber, isText, recall, remember } from "../../../../web/io/storage/localStore";

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
});

it("stores values under the application's own prefix", () => {
  remember("tab", "exports");
  expect(recall("tab", isText)).toBe("exports");
  expect(Object.keys(localStorage)).toEqual(["limn.tab"]);
  forget("tab");
  expect(recall("tab", isText)).toBeUndefined();
});

it("ignores values of an unexpected form", () => {
  localStorage.setItem("limn.width", '"wide"');
  expect(recall("width", isNumber)).toBeUndefined();
  localStorage.setItem("limn.width", "{broken");
  expect(recall("width", isNumber)).toBeUndefined();
});

it("works without storage if it is forbidden or full", () => {
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  vi.spyOn(Storage.prototype, "getItem").mockImplementation(() => {
    throw new DOMException("no", "SecurityError");
  });
  expect(() => remember("tab", "x")).not.toThrow();
  expect(recall("tab", isText)).toBeUndefined();
});
