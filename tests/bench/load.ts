import { randomUUID } from "node:crypto";
import { loadavg } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import sharp from "sharp";
import type { Socket } from "socket.io-client";
import { openDatabase } from "../../server/db/open/database";
import { startSaves } from "../support/cluster/saves";
import { haproxyProgram, startHaproxy } from "../support/haproxy";
import { type LiveServer, startLiveServer } from "../support/liveServer";
import { makeMembers } from "../support/members";
import { cookieOfToken, openSocket } from "../support/sockets";
import { S3_KEY, s3Program, startS3 } from "../support/startS3";
import { startDurablePostgres } from "./bed";
import { Client } from "./client";
import { type Figure, perSecond, timed } from "./figures";
import { p99 } from "./latencies";
import { memory } from "./memory";
import { seedImages } from "./seed";
import { median } from "./sideBySide";

const SOCKETS = 2_000;
const IMAGES = 200;
const SAVERS = 64;
const EDIT_EVERY_MS = 50;
const LOAD_MS = 30_000;
const CONNECT_AT_ONCE = 50;
const PHOTOGRAPHS = 2_000;
const FILES_PER_REQUEST = 20;
const UPLOADS_AT_ONCE = 4;

/**
 * Measures a full installation for its sizing: one server process and two behind HAProxy; uploads to a folder and S3.
 */
export async function load(): Promise<Figure[]> {
  const [haproxy, s3] = [haproxyProgram(), s3Program()];
  if (!haproxy || !s3) throw new Error("Needs HAProxy and an S3 server (S3_SERVER).");
  const s3Server = await startS3(s3);
  try {
    const bucket = { ...(await s3Server.makeBucket()), ...S3_KEY };
    return [
      await withServers(1, {}, async ([server], databaseUrl) =>
        underLoad("one process", server?.url ?? "", [server], databaseUrl),
      ),
      await withServers(2, {}, async ([one, two], databaseUrl) => {
        const proxy = await startHaproxy(haproxy, [one?.url ?? "", two?.url ?? ""]);
        await wait(3_000);
        return underLoad("two processes behind HAProxy", proxy.url, [one, two], databaseUrl).finally(() =>
          proxy.stop(),
        );
      }),
      await withServers(1, {}, ([server]) => upload("a folder", server)),
      await withServers(1, bucket, ([server]) => upload("S3", server)),
    ];
  } finally {
    await s3Server.stop();
  }
}

type Servers = readonly (LiveServer | undefined)[];

async function withServers(
  count: number,
  env: Record<string, string>,
  work: (servers: Servers, databaseUrl: string) => Promise<Figure>,
): Promise<Figure> {
  const postgres = await startDurablePostgres();
  const servers: LiveServer[] = [];
  try {
    for (let n = 0; n < count; n++) {
      const shared: Record<string, string> = servers[0] ? { DATA_DIR: servers[0].dataDir } : {};
      servers.push(await startLiveServer({ DATABASE_URL: postgres.url, TRUST_PROXY: "true", ...shared, ...env }));
    }
    await new Client(servers[0]?.url ?? "").register();
    return await work(servers, postgres.url);
  } finally {
    for (const server of servers) await server.remove();
    await postgres.stop();
  }
}

async function underLoad(how: string, url: string, servers: Servers, databaseUrl: string): Promise<Figure> {
  const client = new Client(url);
  const { id } = await client.send<{ id: number }>("POST", "dataset/", { name: "load", categories: ["thing"] });
  const database = await openDatabase({ DATABASE_URL: databaseUrl, DATA_DIR: "" });
  await seedImages(database.db, id, IMAGES + SAVERS);
  const tokens = await makeMembers(database.db, id, SOCKETS + SAVERS);
  await database.close();
  const list = await client.get<{ images: { id: number }[]; categories: { id: number }[] }>(
    `dataset/${id}/data?limit=${IMAGES + SAVERS}`,
  );
  const images = list.images.map((image) => image.id);
  const categoryId = list.categories[0]?.id ?? 0;
  const cookies = tokens.map((token) => cookieOfToken({ BASE_PATH: "/" }, token));

  const sentAt = new Map<string, number>();
  const events: number[] = [];
  const sockets = await openSockets(url, cookies.slice(0, SOCKETS), images.slice(0, IMAGES));
  // The first sockets have one image each.
  for (const socket of sockets.slice(0, IMAGES))
    socket.on("annotation", ({ annotation }: { annotation: { uuid: string } }) => {
      const at = sentAt.get(annotation.uuid);
      if (at !== undefined) events.push(performance.now() - at);
    });
  const savers = cookies.slice(SOCKETS).map((cookie, i) => ({ cookie, imageId: images[IMAGES + i] ?? 0, categoryId }));
  const saves = startSaves(url, savers);
  let drawn = 0;
  const drawing: Promise<void>[] = [];
  const timer = setInterval(() => {
    const imageId = images[drawn++ % IMAGES] ?? 0;
    drawing.push(draw(client, imageId, categoryId, sentAt).catch(() => undefined));
  }, EDIT_EVERY_MS);
  await wait(LOAD_MS);
  clearInterval(timer);
  const busy = loadavg()[0] ?? 0;
  const mb = servers.map((server) => `${memory(server?.pid ?? 0).toFixed(0)} MB`);
  await saves.stop();
  await Promise.all(drawing);
  // The last events may arrive after the responses.
  await wait(2_000);
  const connected = sockets.filter((socket) => socket.connected).length;
  for (const socket of sockets) socket.close();
  const lost = sentAt.size - events.length;
  return {
    what: `${SOCKETS.toLocaleString("en")} live connections on ${IMAGES} images with ${1000 / EDIT_EVERY_MS} edits/s, and ${SAVERS} clients saving without a pause, ${how}`,
    ours: `${perSecond(saves.times.length, LOAD_MS).toFixed(0)} saves/s, p50 ${median([...saves.times]).toFixed(0)} ms, p99 ${p99(saves.times).toFixed(0)} ms; events p50 ${median(events).toFixed(0)} ms, p99 ${p99(events).toFixed(0)} ms, ${lost} of ${sentAt.size} lost; ${connected} connected; ${mb.join(" and ")}; the machine's load was ${busy.toFixed(0)}`,
    peer: "-",
    ratio: null,
    goal: "none lost, all connected, no save refused",
    met: lost === 0 && connected === SOCKETS && saves.problems.length === 0,
  };
}

/** Opens sockets of different users, spread over the images. */
async function openSockets(url: string, cookies: readonly string[], images: readonly number[]): Promise<Socket[]> {
  const sockets: Socket[] = [];
  const waiting = cookies.entries();
  const open = async () => {
    for (const [i, cookie] of waiting) {
      const socket = openSocket(url, cookie, { reconnection: true });
      sockets[i] = socket;
      const enter = () => socket.emitWithAck("annotating", { image_id: images[i % images.length], active: true });
      await new Promise<void>((resolve) => socket.on("connect", () => void enter().then(() => resolve())));
    }
  };
  await Promise.all(Array.from({ length: CONNECT_AT_ONCE }, open));
  return sockets;
}

async function draw(client: Client, imageId: number, categoryId: number, sentAt: Map<string, number>): Promise<void> {
  const target = randomUUID();
  const after = { category_id: categoryId, rings: [[[10, 10, 60, 10, 60, 60]]], isbbox: false, color: "#336699" };
  const edit = { uuid: randomUUID(), image_id: imageId, base: 0, subject: "annotation", target, action: "create" };
  const edits = [{ ...edit, before: {}, after: { ...after, metadata: {}, keypoints: null } }];
  sentAt.set(target, performance.now());
  await client.send("POST", "annotator/edits", { client: "bench-load", edits });
}

async function upload(where: string, server: LiveServer | undefined): Promise<Figure> {
  const client = new Client(server?.url ?? "");
  const { id } = await client.send<{ id: number }>("POST", "dataset/", { name: "uploads" });
  const photographs = await photographsOf(PHOTOGRAPHS);
  const bytes = photographs.reduce((sum, photograph) => sum + photograph.length, 0);
  const { ms } = await timed(async () => {
    const waiting = Array.from({ length: PHOTOGRAPHS / FILES_PER_REQUEST }, (_, i) => i * FILES_PER_REQUEST);
    const send = async () => {
      for (let from = waiting.shift(); from !== undefined; from = waiting.shift()) {
        const body = new FormData();
        for (const [i, photograph] of photographs.slice(from, from + FILES_PER_REQUEST).entries())
          body.append("files", new Blob([photograph]), `${from + i}.jpg`);
        await client.fetch("POST", `dataset/${id}/upload`, body);
      }
    };
    await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, send));
  });
  const { total } = await client.get<{ total: number }>(`dataset/${id}/data?limit=1`);
  return {
    what: `Upload of ${PHOTOGRAPHS.toLocaleString("en")} photographs (${(bytes / 1e6).toFixed(0)} MB), ${UPLOADS_AT_ONCE} requests at a time, to ${where}`,
    ours: `${(ms / 1000).toFixed(1)} s (${perSecond(PHOTOGRAPHS, ms).toFixed(0)} photographs/s), ${memory(server?.pid ?? 0).toFixed(0)} MB; the machine's load was ${(loadavg()[0] ?? 0).toFixed(0)}`,
    peer: "-",
    ratio: null,
    goal: "all stored",
    met: total === PHOTOGRAPHS,
  };
}

/** Returns JPEGs of 1,280 x 960 with different bytes. */
async function photographsOf(count: number): Promise<Uint8Array<ArrayBuffer>[]> {
  const noise = sharp({
    create: {
      width: 1280,
      height: 960,
      channels: 3,
      background: "#557799",
      noise: { type: "gaussian", mean: 120, sigma: 12 },
    },
  });
  const jpeg = await noise.jpeg({ quality: 80 }).toBuffer();
  return Array.from({ length: count }, (_, n) => {
    const text = Buffer.from(String(n));
    const comment = Buffer.from([0xff, 0xfe, 0, text.length + 2, ...text]);
    return new Uint8Array(Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)]));
  });
}
