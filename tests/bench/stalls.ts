import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import sharp from "sharp";
import type { Bed } from "./bed";
import { startBystander } from "./bystander";
import { Client } from "./client";
import type { Figure } from "./figures";
import { p99 } from "./latencies";
import { memory } from "./memory";
import { type StallBody, stallBodies } from "./stallBodies";

const GOAL_MS = 300;
const PAUSE_MS = 20;
const LOOK_EVERY_MS = 20;

/**
 * Sends the bodies of stallBodies one after another while a second user saves and opens an image continuously. Measures
 * how long that user waits, how long the server's event loop is blocked, and how much memory it uses.
 */
export async function stalls({ kind, server }: Pick<Bed, "kind" | "server">): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "limn-stalls-"));
  const file = join(folder, "delay");
  const preload = `--import ${new URL("./loopDelay.mjs", import.meta.url).href}`;
  await server.stop();
  await server.start({ env: { NODE_OPTIONS: preload, LOOP_DELAY_FILE: file } });
  try {
    const first = new Client(server.url, "stalls-first", "stalls-password");
    const second = new Client(server.url, "stalls-second", "stalls-password");
    await first.register("stalls-first", "stalls-password");
    await second.register("stalls-second", "stalls-password");
    const hers = await dataset(first, "stalls of the first", { large: [9000, 9000], small: [640, 480] });
    const his = await dataset(second, "stalls of the second", { own: [640, 480] });
    const figures: Figure[] = [];
    for (const body of stallBodies(hers.image("large"), hers.image("small"), hers.category)) {
      const made = body.make ? { ...body, body: await body.make(first.send.bind(first)) } : body;
      const start = memory(server.pid);
      rmSync(file, { force: true });
      const endMemory = watchMemory(server.pid);
      const own = { imageId: his.image("own"), categoryId: his.category, pauseMs: PAUSE_MS };
      const bystander = await startBystander(second, own);
      const status = await send(first, made);
      const { times, failed } = await bystander.end();
      const peak = endMemory();
      const stall = existsSync(file) ? Number(readFileSync(file, "utf8")) : Number.NaN;
      await wait(10_000);
      const after = memory(server.pid);
      figures.push(figure(kind, body, { status, times, failed, stall, grown: peak - start, left: after - start }));
    }
    return figures;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Seen {
  status: string;
  times: number[];
  failed: number;
  stall: number;
  grown: number;
  left: number;
}

function figure(kind: string, { what }: StallBody, { status, times, failed, stall, grown, left }: Seen): Figure {
  const wait = p99(times);
  return {
    what: `Another user's saves and openings while one sends ${what}, ${kind}`,
    ours: `p99 ${wait.toFixed(0)} ms of ${times.length}, ${failed} failed; loop stalls ${stall.toFixed(0)} ms, ${grown.toFixed(0)} MB more, ${left.toFixed(0)} MB after 10 s; answered ${status}`,
    peer: "-",
    ratio: null,
    goal: `p99 less than ${GOAL_MS} ms, stall less than 100 ms`,
    met: failed === 0 && wait < GOAL_MS && stall < 100,
  };
}

/** Returns status and milliseconds. */
async function send(client: Client, { method, path, body }: StallBody): Promise<string> {
  const json = JSON.stringify(body);
  const start = performance.now();
  const headers = { ...client.headers, "Content-Type": "application/json" };
  const response = await fetch(`${client.url}api/${path}`, { method, body: json, headers });
  await response.arrayBuffer();
  return `${response.status} in ${(performance.now() - start).toFixed(0)} ms`;
}

/** Samples the server's memory until the returned function is called, which returns the peak. */
function watchMemory(pid: number): () => number {
  let peak = memory(pid);
  const timer = setInterval(() => {
    peak = Math.max(peak, memory(pid));
  }, LOOK_EVERY_MS);
  return () => {
    clearInterval(timer);
    return Math.max(peak, memory(pid));
  };
}

async function dataset(client: Client, name: string, sizes: Record<string, [width: number, height: number]>) {
  const { id } = await client.send<{ id: number }>("POST", "dataset/", { name, categories: [name] });
  const form = new FormData();
  for (const [file, [width, height]] of Object.entries(sizes)) {
    const image = sharp({ create: { width, height, channels: 3, background: "#556677" } }).png();
    form.append("files", new Blob([new Uint8Array(await image.toBuffer())]), `${file}.png`);
  }
  const answer = await client.fetch("POST", `dataset/${id}/upload`, form);
  const { files } = (await answer.json()) as { files: { id: number; path: string }[] };
  const { categories } = await client.get<{ categories: { id: number }[] }>(`dataset/${id}/data`);
  const image = (file: string) => files.find(({ path }) => path === `${file}.png`)?.id ?? 0;
  return { image, category: categories[0]?.id ?? 0 };
}
