import { openAsBlob, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { openDatabase } from "../../server/db/open/database";
import { LEASE_SECONDS } from "../../server/queue/claim";
import { type Cluster, startCluster } from "../support/cluster/cluster";
import { haproxyProgram } from "../support/haproxy";
import { newFolder } from "../support/runFolder";
import { s3Program, startS3 } from "../support/startS3";
import { startDurablePostgres } from "./bed";
import { Client } from "./client";
import { type Figure, timed } from "./figures";
import { seedImages, writeCoco } from "./seed";

const IMAGES = 2_000;
const ANNOTATIONS = 60_000;
/** Milliseconds until a service manager starts the worker again. */
const DOWN_MS = 2_000;
/** Percent of a task after which its worker is killed. */
const KILLED_AT = 20;
/** Seconds for which a started worker, or the poll of its queue, may be late. */
const LATE_SECONDS = 15;

/**
 * Measures how long an import and an export on S3 take if their worker is killed in the middle, beside undisturbed
 * ones.
 */
export async function killedTasks(): Promise<Figure[]> {
  const [haproxy, s3] = [haproxyProgram(), s3Program()];
  if (!haproxy || !s3) throw new Error("Needs HAProxy and an S3 server (S3_SERVER).");
  const s3Server = await startS3(s3);
  const postgres = await startDurablePostgres();
  let cluster: Cluster | undefined;
  const folder = newFolder("killed");
  const file = join(folder, "large.json");
  try {
    await writeCoco(file, IMAGES, ANNOTATIONS);
    cluster = await startCluster({ haproxy, databaseUrl: postgres.url, bucket: await s3Server.makeBucket() });
    const client = new Client(cluster.url);
    await client.register();
    const run = { cluster, client };
    const datasets: number[] = [];
    for (const name of ["undisturbed", "killed"]) {
      const { id } = await client.send<{ id: number }>("POST", "dataset/", { name });
      const database = await openDatabase({ DATABASE_URL: postgres.url, DATA_DIR: "" });
      await seedImages(database.db, id, IMAGES);
      await database.close();
      datasets.push(id);
    }
    const startImport = (dataset: number) => async () => {
      const body = new FormData();
      body.append("coco", await openAsBlob(file), "large.json");
      return (await client.fetch("POST", `dataset/${dataset}/coco`, body)).json() as Promise<{ id: number }>;
    };
    const startExport = () => client.get<{ id: number }>(`dataset/${datasets[1]}/export?format=coco`);
    const imports = await compare(
      run,
      [0, 1].map((n) => startImport(datasets[n] ?? 0)),
      "created",
    );
    const exports = await compare(run, [startExport, startExport], "bytes");
    return [figureOf("COCO import", imports), figureOf("COCO export", exports)];
  } finally {
    await cluster?.remove();
    await postgres.stop();
    await s3Server.stop();
    rmSync(folder, { recursive: true });
  }
}

interface Compared {
  aloneMs: number;
  /** From the kill to the end of the task. */
  afterKillMs: number;
  isSame: boolean;
}

type Start = () => Promise<{ id: number }>;

/** Runs a task undisturbed, and again with a kill; `count` is the number in its result that must be the same. */
async function compare(
  { cluster, client }: { cluster: Cluster; client: Client },
  [start, startKilled]: readonly Start[],
  count: string,
): Promise<Compared> {
  if (!start || !startKilled) throw new Error("nothing to compare");
  const alone = await timed(async () => client.finished((await start()).id));
  const { id } = await startKilled();
  const progress = async () => {
    const tasks = await client.get<{ id: number; progress: number }[]>("tasks/");
    return tasks.find((task) => task.id === id)?.progress ?? 0;
  };
  while ((await progress()) < KILLED_AT) await wait(20);
  await cluster.worker.kill();
  const killed = await timed(async () => {
    await wait(DOWN_MS);
    await cluster.worker.start();
    return client.finished(id);
  });
  const numberIn = ({ result }: { result: unknown }) => (result as Record<string, number>)[count];
  return { aloneMs: alone.ms, afterKillMs: killed.ms, isSame: numberIn(alone.value) === numberIn(killed.value) };
}

function figureOf(task: string, { aloneMs, afterKillMs, isSame }: Compared): Figure {
  const most = aloneMs + (LEASE_SECONDS + LATE_SECONDS) * 1000;
  return {
    what: `${task} of ${ANNOTATIONS.toLocaleString("en")} annotations on S3 whose worker is killed (kill -9) in the middle`,
    ours: `done ${(afterKillMs / 1000).toFixed(1)} s after the kill, ${isSame ? "complete" : "INCOMPLETE"}`,
    peer: `${(aloneMs / 1000).toFixed(1)} s: the same undisturbed`,
    ratio: null,
    goal: `the lease of ${LEASE_SECONDS} s, ${LATE_SECONDS} s and the time undisturbed`,
    met: isSame && afterKillMs <= most,
  };
}
