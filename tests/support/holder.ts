import { readEnv } from "../../server/base/env";
import { startBackups } from "../../server/db/backup/backups";
import { openDatabase } from "../../server/db/open/database";
import { endWithParent } from "./endWithParent";

// Test program: holds the embedded database like a server, makes backups on request, and stops cleanly on SIGTERM.

endWithParent();
const env = readEnv(process.env);
const database = await openDatabase(env);
const backups = startBackups(database, env);
process.once("SIGTERM", async () => {
  await backups.stop();
  await database.close();
  process.exit(0);
});
console.log("open");
