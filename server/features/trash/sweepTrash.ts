import type { Kysely } from "kysely";
import type { RunAlone } from "../../db/open/runAlone";
import type { Schema } from "../../db/schema";
import type { Files } from "../../files/files";
import { hasImage } from "../images/newImageRow";
import { resumePurges } from "./startPurge";

const DAY_MS = 86_400_000;
const EVERY_MS = 3_600_000;
/** Time for which files that were deleted for good can still be recovered from the trash folder by hand. */
const KEEP_MS = DAY_MS;

interface Tools {
  db: Kysely<Schema>;
  files: Files;
}

/**
 * Empties the trash folder and finishes interrupted deletions. If the row of an entry still exists, its request did not
 * finish, or an older backup was restored since: its files are put back. Other entries are removed after a day. Skips
 * entries younger than `settledMs` milliseconds, since their request may still be running. Returns the number of tasks
 * that were enqueued.
 */
export async function sweepTrash({ db, files: { trash } }: Tools, settledMs: number): Promise<number> {
  const tasks = await resumePurges(db);
  for (const { name, modifiedMs } of await trash.entries()) {
    const age = Date.now() - modifiedMs;
    if (age < settledMs) continue;
    const owner = await ownerOf(db, name);
    if (owner?.isBeingPurged) continue;
    // After a backup was restored, ids may be assigned again: only files that a row of the dataset names are put back.
    if (owner) await trash.putBack(name, owner.folder, (path) => hasImage(db, owner.id, path));
    if (age >= KEEP_MS) await trash.remove(name);
  }
  return tasks;
}

/** Sweeps the trash every hour until the returned function is called. `report` receives errors. */
export function sweepTrashRegularly(
  tools: Tools & { wake: () => void },
  runAlone: RunAlone,
  report: (error: unknown) => void,
): () => void {
  const sweep = async () => {
    if ((await sweepTrash(tools, EVERY_MS)) > 0) tools.wake();
  };
  const timer = setInterval(() => runAlone("trash", sweep).catch(report), EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** The dataset of the row that an entry is named after. */
interface Owner {
  id: number;
  folder: string;
  /** True if a task is moving the dataset's files. */
  isBeingPurged: boolean;
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
  return row && { id: row.id, folder: row.folder, isBeingPurged: row.purged_at !== null };
}
