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

const GOAL_MS = 300;
const PAUSE_MS = 20;
const LOOK_EVERY_MS = 20;

/** Two users with a dataset each, on a server that measures how long its event loop is blocked. */
export interface TwoUsers {
  first: Client;
  hers: BenchDataset;
  /**
   * Measures the second user, who saves and opens an image continuously, while `send` runs. `send` returns the outcome.
   */
  during(what: string, send: () => Promise<string>): Promise<Figure>;
}

interface BenchDataset {
  id: number;
  image: (file: string) => number;
  category: number;
}

/** Restarts the server and calls `work` with two users. `sizes` has the sizes of the first user's images, by name. */
export async function withTwoUsers<T>(
  { kind, server }: Pick<Bed, "kind" | "server">,
  sizes: Record<string, [width: number, height: number]>,
  work: (users: TwoUsers) => Promise<T>,
): Promise<T> {
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
    const hers = await dataset(first, "stalls of the first", sizes);
    const his = await dataset(second, "stalls of the second", { own: [640, 480] });
    const during = async (what: string, send: () => Promise<string>) => {
      const start = memory(server.pid);
      rmSync(file, { force: true });
      const endMemory = watchMemory(server.pid);
      const own = { imageId: his.image("own"), categoryId: his.category, pauseMs: PAUSE_MS };
      const bystander = await startBystander(second, own);
      const status = await send().catch((error: unknown) => `failed: ${error}`);
      const { times, failed } = await bystander.end();
      const peak = endMemory();
      const stall = existsSync(file) ? Number(readFileSync(file, "utf8")) : Number.NaN;
      await wait(10_000);
      const left = memory(server.pid) - start;
      return figure(kind, what, { status, times, failed, stall, grown: peak - start, left });
    };
    return await work({ first, hers, during });
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

function figure(kind: string, what: string, { status, times, failed, stall, grown, left }: Seen): Figure {
  const wait = p99(times);
  return {
    what: `Another user's saves and openings while ${what}, ${kind}`,
    ours: `p99 ${wait.toFixed(0)} ms of ${times.length}, ${failed} failed; loop stalls ${stall.toFixed(0)} ms, ${grown.toFixed(0)} MB more, ${left.toFixed(0)} MB after 10 s; answered ${status}`,
    peer: "-",
    ratio: null,
    goal: `p99 less than ${GOAL_MS} ms, stall less than 100 ms`,
    met: failed === 0 && wait < GOAL_MS && stall < 100,
  };
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

async function dataset(
  client: Client,
  name: string,
  sizes: Record<string, [width: number, height: number]>,
): Promise<BenchDataset> {
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
  return { id, image, category: categories[0]?.id ?? 0 };
}
