import autocannon from "autocannon";
import Koa from "koa";
import pg from "pg";
import type { Bed } from "./bed";
import type { Figure } from "./figures";
import { seedImages } from "./seed";

const IMAGES = 100_000;
const CONNECTIONS = 16;
const SECONDS = 8;

/** Measures a page of 52 of 100,000 images with filters, beside a bare Koa route with one indexed SELECT of 52 rows. */
export async function page(bed: Bed): Promise<Figure> {
  const dataset = await bed.client.send<{ id: number }>("POST", "dataset/?name=page", {});
  await bed.rows(({ db }) => seedImages(db, dataset.id, IMAGES));
  const bare = await startBare(bed.env.DATABASE_URL ?? "", dataset.id);
  const query = "page=3&limit=52&order=file_name&file_name__icontains=1&annotated=true&folder=part3";
  const ours = { url: `${bed.client.url}api/dataset/${dataset.id}/data?${query}`, headers: bed.client.headers };

  await hammer({ ...ours, duration: 2 });
  const peer = await hammer({ url: bare.url, duration: SECONDS });
  const own = await hammer({ ...ours, duration: SECONDS });
  await bare.stop();
  if (own.non2xx > 0 || own.errors > 0) throw new Error(`${own.non2xx} bad answers, ${own.errors} errors`);
  const ratio = own.latency.p99 / peer.latency.p99;
  return {
    what: `Page of 52 of ${IMAGES.toLocaleString("en")} images with folder, name and state filters, ${CONNECTIONS} connections`,
    ours: `p99 ${own.latency.p99} ms, ${Math.round(own.requests.average)} a second`,
    peer: `p99 ${peer.latency.p99} ms, ${Math.round(peer.requests.average)} a second: a bare Koa route with one indexed SELECT of 52 rows`,
    ratio,
    goal: "p99 at most 5 times",
    met: ratio <= 5,
  };
}

function hammer(options: { url: string; headers?: Record<string, string>; duration: number }) {
  return autocannon({ ...options, connections: CONNECTIONS });
}

async function startBare(url: string, datasetId: number): Promise<{ url: string; stop(): Promise<void> }> {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  const text =
    "select id, file_name, path, width, height, annotated, num_annotations from images where dataset_id = $1 and deleted_at is null order by file_name, id limit 52";
  const app = new Koa().use(async (ctx) => {
    ctx.body = (await pool.query({ name: "page", text, values: [datasetId] })).rows;
  });
  const server = app.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  const port = address && typeof address === "object" ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await pool.end();
    },
  };
}
