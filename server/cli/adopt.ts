import { readEnv } from "../base/env";
import { openDatabase } from "../db/open/database";
import { runCommand } from "./runCommand";

/** `npm run adopt`: assigns DATA_DIR to the database, after one of the two was moved on purpose. */
await runCommand(async () => {
  const env = readEnv(process.env);
  const { close } = await openDatabase(env, { adopt: true });
  await close();
  console.log(`${env.DATA_DIR} is now the data folder of the database.`);
});
