import type { Kysely } from "kysely";
import type { Schema } from "../../db/schema";
import type { Files } from "../../files/files";
import { hasImage } from "../images/newImageRow";
import { resumePurges } from "./startPurge";

const DAY_MS = 86_400_000;
const EVERY_MS = 3_600_000;
/** Time for which files that were deleted for good can still be recovered by hand from the trash. */
const KEEP_MS = DAY_MS;

interface Tools {
  db: Kysely<Schema>;
  files: Files;
}

/**
 * Empties the trash and finishes what was cut off. An entry whose row is there was moved by a request that did not come
 * to its end, or an older backup was restored since: its files go back. Others are removed a day after. What lies there
 * for less than `settledMs` milliseconds may belong to a request that is being answered just now. Returns how many
 * tasks were put into the queue.
 */
export async function sweepTrash({ db, files: { trash } }: Tools, settledMs: number): Promise<number> {
  const tasks = await resumePurges(db);
  for (const { name, modifiedMs } of await trash.entries()) {
    const age = Date.now() - modifiedMs;
    if (age < settledMs) continue;
    const owner = await ownerOf(db, name);
    if (owner?.isGoing) continue;
    // Numbers may be given anew after a backup was restored: only what a row of the dataset names goes back.
    if (owner) await trash.putBack(name, owner.folder, (path) => hasImage(db, owner.id, path));
    if (age >= KEEP_MS) await trash.remove(name);
  }
  return tasks;
}

/** Sweeps every hour until the answered function is called. `report` gets what went wrong. */
export function sweepTrashRegularly(tools: Tools & { wake: () => void }, report: (error: unknown) => void): () => void {
  const sweep = async () => {
    if ((await sweepTrash(tools, EVERY_MS)) > 0) tools.wake();
  };
  const timer = setInterval(() => sweep().catch(report), EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** The dataset of the row that an entry is named after. */
interface Owner {
  id: number;
  folder: string;
  /** A task is moving its files. */
  isGoing: boolean;
}

async function ownerOf(db: Kysely<Schema>, entry: string): Promise<Owner | undefined> {
  const [kind, number] = entry.split("-");
  const id = Number(number);
  const row = await db
    .selectFrom("datasets")
    .select(["datasets.id", "datasets.folder", "datasets.purged_at"])
    .$if(kind !== "dataset", (query) =>
      query.innerJoin("images", "images.dataset_id", "datasets.id").where("images.id", "=", id),
    )
    .$if(kind === "dataset", (query) => query.where("datasets.id", "=", id))
    .executeTakeFirst();
  return row && { id: row.id, folder: row.folder, isGoing: row.purged_at !== null };
}
