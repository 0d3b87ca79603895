// @vitest-environment jsdom
import { afterEach, expect, it, vi } from "vitest";
import { downloadImage } from "../../../../../web/annotator/ui/toolbar/downloadImage";
import { noteResponse } from "../../../../../web/io/http/reachability";
import { TestEditor } from "../../testEditor";

// Paper.js asks for a canvas when it is loaded.
vi.hoisted(() => {
  HTMLCanvasElement.prototype.getContext = (() => new Proxy({}, { get: () => () => ({ data: [] }) })) as never;
});

afterEach(() => vi.useRealTimers());

it("a download that a silent server never permits fails after a minute", async () => {
  noteResponse();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const asked: string[] = [];
  vi.stubGlobal("fetch", (address: string, { method, signal }: RequestInit) => {
    asked.push(`${method} ${new URL(address, "http://limn").pathname}`);
    return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
  });
  const { editor } = new TestEditor();
  const failure = downloadImage(editor).catch((error: unknown) => error);
  await vi.waitFor(() => expect(asked).toEqual(["HEAD /api/image/7"]));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await failure).toMatchObject({
    title: "Downloading Image",
    message: "The server has not responded for a minute.",
  });
});
