import { setTimeout as wait } from "node:timers/promises";
import type { Socket } from "socket.io-client";
import { makeMembers } from "../support/members";
import { cookieOfToken, openSocket } from "../support/sockets";
import type { Bed } from "./bed";
import { type Bystander, startBystander } from "./bystander";
import type { Figure } from "./figures";
import { p99 } from "./latencies";
import { memory } from "./memory";
import { seedImages } from "./seed";

const FLOOD_MS = 8_000;
const OPEN_EVERY_MS = 50;
/** Number of events that a socket sends at a time. */
const PIECE = 500;
const MANY = 100;
/** Number of users: one for each kind of flood, because a user who sent too much is blocked for a while. */
const USERS = 5;

interface Flood {
  sockets: number;
  send: (socket: Socket, i: number) => void;
}

/**
 * Measures another user who saves and opens an image while one user sends as much as the connection allows, and
 * reconnects each time.
 */
export async function floods(bed: Bed): Promise<Figure[]> {
  const dataset = await bed.client.send<{ id: number }>("POST", "dataset/?name=floods", {
    categories: ["thing"],
  });
  const tokens = await bed.rows(async ({ db }) => {
    await seedImages(db, dataset.id, 10);
    return makeMembers(db, dataset.id, USERS);
  });
  const { images, categories } = await bed.client.get<{ images: { id: number }[]; categories: { id: number }[] }>(
    `dataset/${dataset.id}/data`,
  );
  const image = images[0]?.id ?? 0;
  const own = { imageId: image, categoryId: categories[0]?.id ?? 0, pauseMs: OPEN_EVERY_MS };
  const announce = (socket: Socket, id: number) => socket.emit("annotating", { image_id: id, active: true });
  const kinds: Record<string, Flood> = {
    "announcements of one image": { sockets: 1, send: (socket) => announce(socket, image) },
    "announcements of images that do not exist": { sockets: 1, send: (socket, i) => announce(socket, 1e6 + i) },
    [`announcements by ${MANY} sockets`]: {
      sockets: MANY,
      send: (socket, i) => announce(socket, i % 2 ? image : 1e6 + i),
    },
    "unknown events": { sockets: MANY, send: (socket) => socket.emit("nonsense") },
    "large events": { sockets: 10, send: (socket) => socket.emit("nonsense", "x".repeat(90_000)) },
  };
  const figures: Figure[] = [];
  for (const [i, [kind, flood]] of Object.entries(kinds).entries())
    figures.push(await measure(bed, tokens[i] ?? "", own, kind, flood));
  figures.push(await measure(bed, "", own, "handshakes with wrong cookies", { sockets: MANY, send: () => undefined }));
  return figures;
}

async function measure(bed: Bed, token: string, own: Bystander, kind: string, { sockets, send }: Flood) {
  const before = memory(bed.server.pid);
  const bystander = await startBystander(bed.client, own);
  const end = performance.now() + FLOOD_MS;
  let sent = 0;
  const flood = async (number: number) => {
    const reconnectionDelay = 20;
    const cookie = cookieOfToken({ BASE_PATH: "/" }, token || String(number).padStart(43, "w"));
    const options = { reconnection: true, reconnectionDelay, reconnectionDelayMax: 20 };
    const socket = openSocket(bed.server.url, cookie, options);
    while (performance.now() < end) {
      if (!socket.active) socket.connect();
      for (let i = 0; socket.connected && i < PIECE; i++) send(socket, sent++);
      await wait(socket.connected ? 1 : 20);
    }
    socket.close();
  };
  await Promise.all(Array.from({ length: sockets }, (_, i) => flood(i)));
  const { times, failed } = await bystander.end();
  await wait(10_000);
  const more = memory(bed.server.pid) - before;
  return {
    what: `Another user's saves and openings while one floods, ${kind}, ${bed.kind}`,
    ours: `p99 ${p99(times).toFixed(0)} ms of ${times.length}, ${failed} failed, ${sent.toLocaleString("en")} sent; 10 s later ${more.toFixed(0)} MB more memory`,
    peer: "-",
    ratio: null,
    goal: "p99 less than 300 ms",
    met: failed === 0 && p99(times) < 300,
  };
}
