import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { download } from "../../../../web/io/http/download";

let clicked: string[];

beforeEach(() => {
  clicked = [];
  vi.useFakeTimers();
  vi.stubGlobal("document", {
    body: { append: () => undefined },
    createElement: () => ({
      href: "",
      download: "",
      remove: () => undefined,
      click() {
        clicked.push(`${this.download} ${this.href}`);
      },
    }),
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("starts the first download at once, and the next when a browser has noticed it", async () => {
  download("/image/1", "a.jpg");
  download("/image/1/coco", "a.json");
  await vi.advanceTimersByTimeAsync(0);
  expect(clicked).toEqual(["a.jpg /image/1"]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(clicked).toEqual(["a.jpg /image/1", "a.json /image/1/coco"]);
});
