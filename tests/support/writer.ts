import { readEnv } from "../../server/base/env";
import { openDatabase } from "../../server/db/open/database";
import { endWithParent } from "./endWithParent";

// A program for tests: opens the database as a server does, says "open", then adds people one after another, says each
// name when it is stored, and goes on until it is killed. WRITE=0: only holds the database.

endWithParent();
const { db } = await openDatabase(readEnv(process.env)).catch((error: Error) => {
  console.log(`refused: ${error.message}`);
  process.exit(1);
});
console.log("open");
for (let n = 0; process.env.WRITE !== "0"; n++) {
  const username = `${process.pid}-${n}`;
  await db.transaction().execute(async (trx) => {
    const { id } = await trx.insertInto("users").values({ username }).returning("id").executeTakeFirstOrThrow();
    await trx.insertInto("datasets").values({ name: username, folder: username, owner_id: id }).execute();
  });
  console.log(`stored ${username}`);
}
