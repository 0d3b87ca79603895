import { readEnv } from "../../server/base/env";
import { openDatabase } from "../../server/db/open/database";
import { endWithParent } from "./endWithParent";

// Test program: opens the database like a server, prints "open", then adds users one after another and prints each name
// once it is stored, until it is killed. With WRITE=0 it only holds the database.

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
