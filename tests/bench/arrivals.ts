import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Socket } from "socket.io-client";
import { startLiveServer } from "../support/liveServer";
import { makeMembers } from "../support/members";
import { cookieOfToken, openSocket } from "../support/sockets";
import type { Bed } from "./bed";
import type { Figure } from "./figures";
import { p99 } from "./latencies";
import { seedImages } from "./seed";
import { median } from "./sideBySide";

const MEMBERS = 2_000;
const IMAGES = 100;
/** Number of sockets that connect at the same time. */
const AT_ONCE = 50;
const LISTS = 20;
const SAVE_EVERY_MS = 100;
const PATIENCE_MS = 60_000;

interface Counts {
  arrived: number;
  messages: number;
  edits: number[];
  saves: number[];
  failed: number;
}

/**
 * Measures 2,000 members of a dataset who open its images at once while another user draws, on one server and on two.
 */
export async function arrivals(bed: Bed): Promise<Figure[]> {
  const dataset = await bed.client.send<{ id: number }>("POST", "dataset/?name=arrivals", { categories: ["bench"] });
  const tokens = await bed.rows(async ({ db }) => {
    await seedImages(db, dataset.id, IMAGES);
    return makeMembers(db, dataset.id, MEMBERS);
  });
  const one = await measure(bed, dataset.id, tokens, [bed.server.url], "one server");
  if (bed.kind === "embedded") return one;
  const second = await startLiveServer({ ...bed.env, DATA_DIR: bed.server.dataDir });
  try {
    return [...one, ...(await measure(bed, dataset.id, tokens, [bed.server.url, second.url], "two servers"))];
  } finally {
    await second.remove();
  }
}

async function measure(bed: Bed, datasetId: number, tokens: string[], urls: string[], where: string) {
  const list = await bed.client.get<{ images: { id: number }[]; categories: { id: number }[] }>(
    `dataset/${datasetId}/data?limit=${IMAGES}`,
  );
  const images = list.images.map(({ id }) => id);
  const counts: Counts = { arrived: 0, messages: 0, edits: [], saves: [], failed: 0 };
  const sockets: Socket[] = [];
  const open = (token: string, url: string) => {
    const socket = openSocket(url, cookieOfToken({ BASE_PATH: "/" }, token), { reconnection: true });
    socket.onAny(() => counts.messages++);
    sockets.push(socket);
    return socket;
  };

  const watcher = open(tokens[0] ?? "", urls.at(-1) ?? "");
  await entered(watcher, images[0] ?? 0);
  for (let i = 1; i <= LISTS; i++) {
    const socket = open(tokens[i] ?? "", urls[i % urls.length] ?? "");
    socket.on("connect", () => socket.emit("listing", { dataset_id: datasetId, active: true }));
  }
  const stopDrawing = draw(bed, watcher, { imageId: images[0] ?? 0, categoryId: list.categories[0]?.id ?? 0 }, counts);
  await wait(1_000);
  const started = performance.now();
  const waiting = tokens.slice(LISTS + 1).entries();
  const arrive = async () => {
    for (const [i, token] of waiting) {
      await entered(open(token, urls[i % urls.length] ?? ""), images[i % images.length] ?? 0);
      counts.arrived += 1;
    }
  };
  await Promise.race([Promise.all(Array.from({ length: AT_ONCE }, arrive)), wait(PATIENCE_MS)]);
  const ms = performance.now() - started;
  await wait(3_000);
  await stopDrawing();
  for (const socket of sockets) socket.close();
  await wait(2_000);
  return figures(bed, where, counts, ms);
}

/** Resolves when the server acknowledges that the socket follows the image. Asks again after a disconnection. */
function entered(socket: Socket, imageId: number): Promise<void> {
  return new Promise((resolve) => {
    const enter = () => socket.emit("annotating", { image_id: imageId, active: true }, () => resolve());
    socket.on("connect", enter);
    if (socket.connected) enter();
  });
}

/**
 * Draws an annotation at intervals. Records the latency of its response, and of the event at a socket that has the
 * image open.
 */
function draw(
  bed: Bed,
  watcher: Socket,
  { imageId, categoryId }: { imageId: number; categoryId: number },
  counts: Counts,
) {
  const sent = new Map<string, number>();
  watcher.on("annotation", ({ annotation }: { annotation: { uuid: string } }) => {
    const at = sent.get(annotation.uuid);
    if (at !== undefined) counts.edits.push(performance.now() - at);
  });
  const saves: Promise<void>[] = [];
  const save = async () => {
    const target = randomUUID();
    const at = performance.now();
    sent.set(target, at);
    const after = { category_id: categoryId, rings: [[[10, 10, 60, 10, 60, 60]]], isbbox: false, color: "#336699" };
    const edit = { uuid: randomUUID(), image_id: imageId, base: 0, subject: "annotation", target, action: "create" };
    const edits = [{ ...edit, before: {}, after: { ...after, metadata: {}, keypoints: null } }];
    await bed.client.send("POST", "annotator/edits", { client: "bench-client", edits }).then(
      () => counts.saves.push(performance.now() - at),
      () => counts.failed++,
    );
  };
  const timer = setInterval(() => saves.push(save()), SAVE_EVERY_MS);
  return async () => {
    clearInterval(timer);
    await Promise.all(saves);
    await wait(1_000);
  };
}

function figures(bed: Bed, where: string, { arrived, messages, edits, saves, failed }: Counts, ms: number): Figure[] {
  const who = `${MEMBERS.toLocaleString("en")} users opening ${IMAGES} images`;
  const lost = saves.length - edits.length;
  return [
    {
      what: `${who}, ${where}, ${bed.kind}: messages to their pages`,
      ours: `${messages.toLocaleString("en")} to ${arrived.toLocaleString("en")} in ${(ms / 1000).toFixed(1)} s`,
      peer: "-",
      ratio: null,
      goal: "all within a minute, at most 100 each",
      met: arrived === MEMBERS - LISTS - 1 && messages <= 100 * MEMBERS,
    },
    {
      what: `${who}, ${where}, ${bed.kind}: another user's saves, and their events on another page`,
      ours: `save p99 ${p99(saves).toFixed(0)} ms, ${failed} of ${saves.length + failed} failed; event p50 ${median(edits).toFixed(0)} ms, p99 ${p99(edits).toFixed(0)} ms, ${lost} lost`,
      peer: "-",
      ratio: null,
      goal: "save p99 less than 300 ms, none failed, none lost",
      met: p99(saves) < 300 && failed === 0 && lost === 0,
    },
  ];
}
