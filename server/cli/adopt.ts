import { readEnv } from "../base/env";
import { readInstallation } from "../db/installation";
import { openDatabase } from "../db/open/database";
import { makeFiles } from "../files/files";
import { runCommand } from "./runCommand";

/** `npm run adopt`: assigns DATA_DIR and STORAGE to the database, after one of them was moved on purpose. */
await runCommand(async () => {
  const env = readEnv(process.env);
  const { db, close } = await openDatabase(env, { adopt: true });
  try {
    await makeFiles(env).claim((await readInstallation(db)).id, "adopt");
  } finally {
    await close();
  }
  console.log(`${env.DATA_DIR} is now the data folder of the database.`);
  if (env.STORAGE) console.log(`${env.STORAGE} is now its storage.`);
});
