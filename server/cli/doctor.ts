import { readEnv } from "../base/env";
import { ConfigurationError } from "../base/errors";
import { explainDamage } from "../db/embedded/embedded";
import { readInstallation } from "../db/installation";
import { openWithoutMigrating } from "../db/open/database";
import { makeFiles } from "../files/files";
import type { Check } from "./checks/check";
import { counts } from "./checks/counts";
import { imageFiles } from "./checks/imageFiles";
import { readTables } from "./checks/readTables";
import { references } from "./checks/references";
import { transfers } from "./checks/transfers";
import { runCommand } from "./runCommand";

/**
 * Checks of `npm run doctor -- [--fix] [--read-all]`, which compares the database with the files. It prints each
 * problem and exits with 1 if there is any. It changes nothing, except that --fix corrects counts. --read-all reads
 * every image's bytes.
 */
const CHECKS: Record<string, Check> = {
  References: references,
  Counts: counts,
  "Image files": imageFiles,
  Transfers: transfers,
};
/** Maximum number of problems printed per check. */
const PRINTED = 100;

await runCommand(async () => {
  const words = process.argv.slice(2);
  const unknown = words.find((word) => !["--fix", "--read-all"].includes(word));
  if (unknown) throw new ConfigurationError(`npm run doctor accepts --fix and --read-all, not ${unknown}.`);
  const env = readEnv(process.env);
  const files = makeFiles(env);
  if (env.STORAGE) await files.check();
  const database = await openWithoutMigrating(env, "npm run doctor");
  const patient = {
    db: database.db,
    files,
    fix: words.includes("--fix"),
    readAll: words.includes("--read-all"),
  };
  let problems = 0;
  try {
    await files.claim((await readInstallation(database.db)).id, "check");
    await readTables(database.db);
    for (const [name, check] of Object.entries(CHECKS)) problems += await examine(name, check(patient));
  } catch (error) {
    throw await explainDamage(error, env);
  } finally {
    await database.close();
  }
  console.log(problems === 0 ? "No problems found." : `${problems} problem(s).`);
  process.exitCode = problems === 0 ? 0 : 1;
});

async function examine(name: string, findings: AsyncGenerator<string>): Promise<number> {
  let count = 0;
  for await (const finding of findings) if (++count <= PRINTED) console.log(`  ${finding}`);
  if (count > PRINTED) console.log(`  and ${count - PRINTED} more`);
  console.log(`${name}: ${count === 0 ? "no problems" : `${count} problem(s)`}`);
  return count;
}
