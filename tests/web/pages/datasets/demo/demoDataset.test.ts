// @vitest-environment jsdom
import { QueryClient } from "@tanstack/react-query";
import { beforeEach, expect, it, vi } from "vitest";
import { createDemo } from "../../../../../web/pages/datasets/demo/demoDataset";

/** Number of images that were drawn. */
let drawn: number;
/** Called when an image is drawn, before it is finished. */
let onDraw: () => void;
/** Calls that were sent. */
let sent: string[];
/** Called when a call is sent, before its response. */
let onSend: () => void;
let abort: AbortController;

beforeEach(() => {
  abort = new AbortController();
  drawn = 0;
  sent = [];
  onDraw = () => undefined;
  onSend = () => undefined;
  const gradient = { addColorStop() {} };
  const context = new Proxy(
    { createLinearGradient: () => gradient, createRadialGradient: () => gradient },
    { get: (known, name) => Reflect.get(known, name) ?? (() => undefined), set: () => true },
  );
  vi.stubGlobal(
    "OffscreenCanvas",
    class {
      getContext = () => context;
      convertToBlob = async () => {
        drawn++;
        onDraw();
        return new Blob(["image"]);
      };
    },
  );
  vi.stubGlobal("fetch", async (url: string | URL, { method = "GET" }: RequestInit = {}) => {
    sent.push(`${method} ${new URL(url).pathname}`);
    onSend();
    const isTaken = sent.length === 1;
    return new Response('{"message":"Refused."}', { status: isTaken ? 409 : 403 });
  });
});

const cancel = () => abort.abort(new Error("Cancelled"));
const start = () =>
  createDemo({ left: [], refused: [] }, { client: new QueryClient(), signal: abort.signal, onStep: () => undefined });
const CREATE = "POST /api/dataset/";

it("tries another name if the first is taken", async () => {
  await expect(start()).rejects.toMatchObject({ status: 403 });
  expect(sent).toEqual([CREATE, CREATE]);
});

it("neither draws nor sends anything more once it is cancelled while an image is drawn", async () => {
  onDraw = cancel;
  await expect(start()).rejects.toThrow("Cancelled");
  expect(drawn).toBe(1);
  expect(sent).toEqual([]);
});

it("sends nothing once it is cancelled while the last image is drawn", async () => {
  onDraw = () => drawn === 8 && cancel();
  await expect(start()).rejects.toThrow("Cancelled");
  expect(sent).toEqual([]);
});

it("tries no other name once it is cancelled", async () => {
  onSend = cancel;
  await expect(start()).rejects.toThrow("Cancelled");
  expect(sent).toEqual([CREATE]);
});
