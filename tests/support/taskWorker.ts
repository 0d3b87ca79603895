import { appendFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { readEnv } from "../../server/base/env";
import { openDatabase } from "../../server/db/open/database";
import { transaction } from "../../server/db/transaction";
import { enqueue } from "../../server/queue/queue";
import { startRunner } from "../../server/queue/runner";
import { endWithParent } from "./endWithParent";

// Test program: a worker with one kind of task, "slow", which writes "begin PID" and, when it may finish, "end PID" to
// the file JOURNAL. With STUCK=1 it never ends. ADD=1 adds such a task to the queue. SIGTERM stops it cleanly.

endWithParent();
const env = readEnv(process.env);
const journal = process.env.JOURNAL ?? "";
const { db, kind, close } = await openDatabase(env);
const write = (word: string) => {
  appendFileSync(journal, `${word} ${process.pid}\n`);
  console.log(word);
};

const runner = startRunner({
  db,
  kinds: {
    slow: async (_, { signal }) => {
      write("begin");
      if (process.env.STUCK) await wait(600_000, undefined, { signal });
      write("end");
    },
  },
  extra: {},
  concurrency: 1,
  announce: ({ state }) => console.log(state),
  listenUrl: env.DATABASE_URL,
  alone: kind === "embedded",
});
if (process.env.ADD)
  await transaction(db, (trx) =>
    enqueue(trx, { kind: "slow", name: "Slow", key: "slow", payload: {}, creatorId: null, datasetId: null }),
  );
runner.wake();
process.once("SIGTERM", async () => {
  await runner.stop();
  await close();
  process.exit(0);
});
console.log("ready");
