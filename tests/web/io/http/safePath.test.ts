// @vitest-environment jsdom
import { describe, expect, it } from "vitest";
import { safePath } from "../../../../web/io/http/safePath";

describe("safePath", () => {
  it("keeps a page of this application with its query", () => {
    expect(safePath("/dataset/3?page=2&folder=a%2Fb#x")).toBe("/dataset/3?page=2&folder=a%2Fb#x");
  });

  it.each([
    null,
    "",
    "dataset/3",
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "/%0a/../\n//evil.example",
    "https://evil.example/",
    "javascript:alert(1)",
    "/..//evil.example",
    "/a/..//evil.example",
  ])("refuses %j", (wanted) => {
    expect(safePath(wanted)).toBeUndefined();
  });
});
