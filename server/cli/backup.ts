import { type Env, readEnv } from "../base/env";
import { backUp } from "../db/backup/backup";
import { backupFolder } from "../db/backupFiles/backupFolder";
import { keepGenerations } from "../db/backupFiles/generations";
import { askHolder } from "../db/dataFolder/folderLock";
import { explainDamage } from "../db/embedded/embedded";
import { openWithoutMigrating } from "../db/open/database";
import { runCommand } from "./runCommand";

/**
 * `npm run backup`: writes a backup and prints its path. A running server with the embedded database writes it itself.
 */
await runCommand(async () => {
  const env = readEnv(process.env);
  const path = (env.DATABASE_URL ? undefined : await askHolder(env.DATA_DIR, "backup")) ?? (await backUpHere(env));
  console.log(`The backup is ${path}. Images are not in it: copy the folder ${env.DATASETS_DIR} as well.`);
});

/** Writes a backup in this process. */
async function backUpHere(env: Env): Promise<string> {
  const database = await openWithoutMigrating(env, "npm run backup");
  const folder = backupFolder(env.DATA_DIR);
  try {
    const path = await backUp(database, folder);
    if (database.kind === "embedded") await keepGenerations(folder);
    return path;
  } catch (error) {
    throw await explainDamage(error, env);
  } finally {
    await database.close();
  }
}
