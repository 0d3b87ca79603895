import { readEnv } from "../base/env";
import { openDatabase } from "../db/open/database";
import { runCommand } from "./runCommand";

/** `npm run adopt`: says that DATA_DIR is the database's own from now on, after one of the two was moved on purpose. */
await runCommand(async () => {
  const env = readEnv(process.env);
  const { close } = await openDatabase(env, { adopt: true });
  await close();
  console.log(`${env.DATA_DIR} is the data folder of the database from now on.`);
});
