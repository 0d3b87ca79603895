import { type Env, readEnv } from "../base/env";
import { ConfigurationError } from "../base/errors";
import { restore } from "../db/backup/restore";
import { adoptFolder } from "../db/dataFolder/ownFolder";
import { readInstallation, renewInstallation } from "../db/installation";
import { openWithoutMigrating } from "../db/open/database";
import { makeFiles } from "../files/files";
import { runCommand } from "./runCommand";

const USAGE = "npm run restore -- FILE [--force], or npm run restore -- --renew-id";

/**
 * `npm run restore -- FILE [--force]`: restores a backup into an empty database. `--renew-id` alone: gives the
 * installation a new id after the database was restored by other means, e.g. by copying its files.
 */
await runCommand(async () => {
  const env = readEnv(process.env);
  const words = process.argv.slice(2);
  if (words.length === 1 && words[0] === "--renew-id") return renewId(env);
  const files = words.filter((word) => word !== "--force");
  const [file] = files;
  if (!file || files.length > 1 || file.startsWith("--")) throw new ConfigurationError(`Which backup? ${USAGE}`);
  const { rows, moment, kept } = await restore(env, file, words.includes("--force"));
  // The restored database has another id. It claims the storage when it is opened.
  await makeFiles(env).release();
  console.log(`Restored ${rows} rows: the database as it was at ${moment}.`);
  if (kept) console.log(`The previous database was moved to ${kept}.`);
  console.log("Images are not part of a backup. npm run doctor lists the missing ones.");
});

async function renewId(env: Env): Promise<void> {
  const { db, close } = await openWithoutMigrating(env, "npm run restore");
  try {
    await db.transaction().execute(renewInstallation);
    await adoptFolder(db, env.DATA_DIR);
    await makeFiles(env).claim((await readInstallation(db)).id, "adopt");
  } finally {
    await close();
  }
  console.log("The installation has a new id: open pages will ask before they send earlier edits.");
}
