import { readEnv } from "../base/env";
import { ConfigurationError } from "../base/errors";
import { explainDamage } from "../db/embedded/embedded";
import { readInstallation } from "../db/installation";
import { openWithoutMigrating } from "../db/open/database";
import { makeFiles } from "../files/files";
import { runChecks } from "./checks/runChecks";
import { runCommand } from "./runCommand";

/**
 * `npm run doctor -- [--fix] [--read-all]`: compares the database with the files. It prints each problem and exits with
 * 1 if there is any. It changes nothing, except that --fix corrects counts. --read-all reads every image's bytes.
 */
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
    problems = await runChecks(patient);
  } catch (error) {
    throw await explainDamage(error, env);
  } finally {
    await database.close();
  }
  console.log(problems === 0 ? "No problems found." : `${problems} problem(s).`);
  process.exitCode = problems === 0 ? 0 : 1;
});
