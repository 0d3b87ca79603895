import { type Kysely, sql } from "kysely";
import type { CurrentUser } from "../../base/permissions";
import type { Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";
import { enqueue } from "../../queue/queue";
import type { DatasetAccess } from "../access/access";
import type { Services } from "../services";
import { hasUnread } from "./embeddingRows";

type Tools = Pick<Services, "db" | "wakeRunner">;
type Dataset = Pick<DatasetAccess, "id" | "name">;

const KIND = "embedImages";
/** Minutes between the end of a task and the next one that starts by itself, so that each upload does not start one. */
const PAUSE_MINUTES = 10;

/** Queues the computation of the embeddings that a dataset's images lack. `user`: null if nobody asked for it. */
export async function startEmbedding({ db, wakeRunner }: Tools, dataset: Dataset, user: CurrentUser | null) {
  const task = await transaction(db, (trx) =>
    enqueue(trx, {
      kind: KIND,
      name: `Comparing images of ${dataset.name}`,
      key: `embeddings:${dataset.id}`,
      payload: { dataset_id: dataset.id },
      creatorId: user?.id ?? null,
      datasetId: dataset.id,
    }),
  );
  wakeRunner();
  return task;
}

/** Starts the task for a user who has chosen the order that needs it, unless all files have been read. */
export async function startIfUnread(tools: Tools, dataset: Dataset, user: CurrentUser): Promise<void> {
  if (await hasUnread(tools.db, dataset.id)) await startEmbedding(tools, dataset, user);
}

/** Starts the task if images were added since the last one. One that failed or was cancelled is not repeated. */
export async function continueEmbedding(tools: Tools, dataset: Dataset): Promise<void> {
  if ((await mayContinue(tools.db, dataset.id)) && (await hasUnread(tools.db, dataset.id)))
    await startEmbedding(tools, dataset, null);
}

async function mayContinue(db: Kysely<Schema>, datasetId: number): Promise<boolean> {
  const { rows } = await sql<{ may: boolean | null }>`
    select state = 'done' and finished_at < now() - make_interval(mins => ${PAUSE_MINUTES}::integer) as may from tasks
    where kind = ${KIND} and dataset_id = ${datasetId}::integer order by id desc limit 1`.execute(db);
  return rows[0]?.may ?? rows.length === 0;
}
