import { rmSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { Browser } from "@playwright/test";
import { openDatabase } from "../../server/db/open/database";
import { type Cluster, startCluster } from "../support/cluster/cluster";
import { killInTurn } from "../support/cluster/kills";
import { compareSaves, type Saver, type Saves, startSaves } from "../support/cluster/saves";
import { walkThrough } from "../support/cluster/walk";
import { haproxyProgram } from "../support/haproxy";
import { startLiveServer } from "../support/liveServer";
import { makeMembers } from "../support/members";
import { loadPhotographs } from "../support/photographs";
import { newFolder } from "../support/runFolder";
import { cookieOfToken } from "../support/sockets";
import { S3_KEY, s3Program, startS3, type TestBucket } from "../support/startS3";
import { startDurablePostgres } from "./bed";
import { launchBrowser } from "./browser";
import { Client } from "./client";
import type { Figure } from "./figures";
import { p99 } from "./latencies";
import { seedImages } from "./seed";
import { median } from "./sideBySide";

const SAVERS = 16;
const ALONE_MS = Number(process.env.LIMN_ALONE_MS ?? 60_000);
/** Minutes under kills; LIMN_CLUSTER_MINUTES sets another number. */
const MINUTES = Number(process.env.LIMN_CLUSTER_MINUTES ?? 3.5);
const KILLS = { everyMs: 20_000, downMs: 3_000 };
const PHOTOGRAPHS = 4;
const MAX_RATIO = 3;

interface Installation {
  url: string;
  databaseUrl: string;
}

interface Outcome {
  saves: Saves;
  walks: number;
  /** Reasons why a walk did not come to its end. */
  failedWalks: string[];
}

/**
 * Measures 16 saving clients and a browser on two servers and a worker with PostgreSQL, S3 and HAProxy, one server
 * being killed every 20 seconds, beside the same on a single server without kills.
 */
export async function cluster(): Promise<Figure[]> {
  const [haproxy, s3] = [haproxyProgram(), s3Program()];
  if (!haproxy || !s3) throw new Error("Needs HAProxy and an S3 server (S3_SERVER).");
  const s3Server = await startS3(s3);
  const browser = await launchBrowser();
  try {
    const alone = await onSingle(browser, await s3Server.makeBucket());
    const together = await onCluster(browser, haproxy, await s3Server.makeBucket());
    return figures(alone, together);
  } finally {
    await browser.close();
    await s3Server.stop();
  }
}

async function onSingle(browser: Browser, bucket: TestBucket): Promise<Outcome> {
  const postgres = await startDurablePostgres();
  const server = await startLiveServer({ DATABASE_URL: postgres.url, ...bucket, ...S3_KEY });
  try {
    return await underLoad(browser, { url: server.url, databaseUrl: postgres.url }, () => wait(ALONE_MS));
  } finally {
    await server.remove();
    await postgres.stop();
  }
}

interface Killed extends Outcome {
  kills: number;
  lost: number;
  twice: number;
  different: number;
}

async function onCluster(browser: Browser, haproxy: string, bucket: TestBucket): Promise<Killed> {
  const postgres = await startDurablePostgres();
  let running: Cluster | undefined;
  try {
    running = await startCluster({ haproxy, databaseUrl: postgres.url, bucket });
    const { url, servers } = running;
    let kills = 0;
    const outcome = await underLoad(browser, { url, databaseUrl: postgres.url }, async () => {
      const killing = killInTurn(servers, KILLS);
      await wait(MINUTES * 60_000);
      await killing.stop();
      kills = killing.count;
    });
    const compared = await withDatabase(postgres.url, ({ db }) => compareSaves(db, outcome.saves));
    return { ...outcome, kills, ...compared };
  } finally {
    await running?.remove();
    await postgres.stop();
  }
}

/** Runs the savers and one walk after another until `end` resolves. */
async function underLoad(browser: Browser, { url, databaseUrl }: Installation, end: () => Promise<void>) {
  const client = new Client(url);
  await client.register();
  const savers = await makeSavers(client, databaseUrl);
  const folder = newFolder("photographs");
  const files = (await loadPhotographs(folder)).files.slice(0, PHOTOGRAPHS);
  const saves = startSaves(url, savers);
  const failedWalks: string[] = [];
  let [walks, isOver] = [0, false];
  const walk = async () => {
    for (; !isOver; walks++) {
      const login = { username: "bench", password: "bench-password" };
      const dataset = `walk ${walks}`;
      await walkThrough(browser, { url, ...login, files, dataset }).catch((error: unknown) => {
        failedWalks.push(
          `${dataset}: ${error instanceof Error ? error.message.split("\n").slice(0, 6).join(" ") : error}`,
        );
      });
    }
  };
  const walking = walk();
  await end();
  isOver = true;
  await walking;
  await saves.stop();
  rmSync(folder, { recursive: true, force: true });
  return { saves, walks, failedWalks };
}

async function makeSavers(client: Client, databaseUrl: string): Promise<Saver[]> {
  const { id } = await client.send<{ id: number }>("POST", "dataset/", { name: "saved", categories: ["thing"] });
  const tokens = await withDatabase(databaseUrl, async ({ db }) => {
    await seedImages(db, id, SAVERS);
    return makeMembers(db, id, SAVERS);
  });
  const { images, categories } = await client.get<{ images: { id: number }[]; categories: { id: number }[] }>(
    `dataset/${id}/data`,
  );
  return tokens.map((token, i) => ({
    cookie: cookieOfToken({ BASE_PATH: "/" }, token),
    imageId: images[i]?.id ?? 0,
    categoryId: categories[0]?.id ?? 0,
  }));
}

async function withDatabase<T>(url: string, work: (database: Awaited<ReturnType<typeof openDatabase>>) => Promise<T>) {
  const database = await openDatabase({ DATABASE_URL: url, DATA_DIR: "" });
  return work(database).finally(() => database.close());
}

function figures(alone: Outcome, killed: Killed): Figure[] {
  for (const { saves, failedWalks } of [alone, killed])
    console.log({ repeated: Object.fromEntries(saves.repeated), problems: saves.problems.slice(0, 5), failedWalks });
  const [one, two] = [alone, killed].map(({ saves }) => p99(saves.times)) as [number, number];
  const what = `two servers and a worker with PostgreSQL, S3 and HAProxy, kill -9 of one server every ${KILLS.everyMs / 1000} s`;
  const { edits, problems, times } = killed.saves;
  return [
    {
      what: `${SAVERS} saving clients and a browser on ${what}`,
      ours: `${edits.length.toLocaleString("en")} acknowledged edits, ${killed.kills} kills, ${killed.saves.seen} edits stored although their response was lost: ${killed.lost} lost, ${killed.twice} twice, ${killed.different} different, ${problems.length} refused`,
      peer: "-",
      ratio: null,
      goal: "0 lost, 0 twice",
      met: killed.lost + killed.twice + killed.different + problems.length === 0,
    },
    {
      what: `A save with its repeats on ${what}`,
      ours: `p50 ${median([...times]).toFixed(0)} ms, p99 ${two.toFixed(0)} ms, longest ${Math.max(...times).toFixed(0)} ms`,
      peer: `p50 ${median([...alone.saves.times]).toFixed(0)} ms, p99 ${one.toFixed(0)} ms: a single server without kills`,
      ratio: two / one,
      goal: `p99 less than ${MAX_RATIO} times`,
      met: two / one < MAX_RATIO,
    },
    {
      what: `Walks in Chromium (log in, upload, draw, reload, export) on ${what}`,
      ours: `${killed.walks - killed.failedWalks.length} of ${killed.walks} to their end`,
      peer: `${alone.walks - alone.failedWalks.length} of ${alone.walks}: a single server without kills`,
      ratio: null,
      goal: "all",
      met: killed.failedWalks.length === 0,
    },
  ];
}
