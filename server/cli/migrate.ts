import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Env, readEnv } from "../base/env";
import { ConfigurationError } from "../base/errors";
import { embeddedFolder, explainDamage, isNew, openPglite } from "../db/embedded/embedded";
import { readInstallation } from "../db/installation";
import { currentVersion, migrate as migrateTables } from "../db/migrate";
import { type Database, openDatabase, openServerWithoutTimeouts, openWithoutMigrating } from "../db/open/database";
import { openDump } from "../features/migration/dump/openDump";
import { migrateDump } from "../features/migration/migrateDump";
import { MigrationReport } from "../features/migration/store/report";
import { writeIds } from "../features/migration/store/writeIds";
import { makeFiles } from "../files/files";
import { runChecks } from "./checks/runChecks";
import { progressLine } from "./progressLine";
import { runCommand } from "./runCommand";

const COMMAND = "npm run migrate";
const USAGE = `${COMMAND} -- DUMP_FOLDER --images FOLDER [--dry-run]. docs/migrating.md describes all options.`;
const REPORT = "migration-report.txt";
const IDS = "migration-ids.csv";

/**
 * `npm run migrate -- DUMP_FOLDER --images FOLDER`: migrates a dump of COCO Annotator's MongoDB into this installation,
 * which may be empty or in use. May be stopped and repeated. Exits with 1 if it could not be completed.
 */
await runCommand(async () => {
  const { dumpFolder, images, values } = readArguments();
  const dump = await openDump(dumpFolder, values.database);
  const env = readEnv(process.env);
  const isDryRun = values["dry-run"];
  const files = makeFiles(env);
  const database = await open(env, isDryRun);
  const line = progressLine();
  const path = values.report ?? (isDryRun ? undefined : join(env.DATA_DIR, REPORT));
  const report = new MigrationReport(path);
  try {
    if (!isDryRun) {
      await files.check();
      await files.claim((await readInstallation(database.db)).id, "mark");
    }
    console.log(`${isDryRun ? "Reading" : "Migrating"} the database ${dump.database} in ${dump.folder}`);
    const source = await migrateDump({
      db: database.db,
      files,
      dump,
      report,
      images,
      isDryRun,
      link: values.link,
      upright: values.upright,
      annotateOrigins: env.ANNOTATE_ORIGINS,
      acceptDamage: values["accept-damage"],
      acceptMissing: values["accept-missing"],
      onProgress: (collection, read, total) => line.show(`${collection}: ${read} of ${total}`),
    });
    line.end();
    const lines = report.lines(isDryRun);
    report.close(lines);
    for (const each of lines) console.log(each);
    if (path) console.log(`Every remark is in ${path}.`);
    if (isDryRun) return console.log("This was a dry run: nothing was written.");
    const ids = values.ids ?? join(env.DATA_DIR, IDS);
    console.log(
      (await writeIds(database.db, source, ids)) ? `The old and new ids are in ${ids}.` : "All objects keep their ids.",
    );
    console.log("Checks of npm run doctor:");
    const problems = await runChecks({ db: database.db, files, fix: false, readAll: false });
    console.log(
      problems === 0
        ? "The migration is complete."
        : `The migration is complete. See the ${problems} problem(s) above.`,
    );
  } catch (error) {
    line.end();
    throw await explainDamage(error, env);
  } finally {
    report.close([]);
    await database.close();
  }
});

function readArguments() {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: {
        images: { type: "string" },
        "dry-run": { type: "boolean", default: false },
        database: { type: "string" },
        link: { type: "boolean", default: false },
        upright: { type: "boolean", default: false },
        "accept-damage": { type: "boolean", default: false },
        "accept-missing": { type: "boolean", default: false },
        report: { type: "string" },
        ids: { type: "string" },
      },
    });
    const [dumpFolder, ...others] = positionals;
    if (dumpFolder === undefined || others.length > 0) throw new ConfigurationError(`Which dump? ${USAGE}`);
    if (!values.images) throw new ConfigurationError(`Which folder of images? ${USAGE}`);
    return { dumpFolder, images: resolve(values.images), values };
  } catch (error) {
    if (error instanceof ConfigurationError || !(error instanceof TypeError)) throw error;
    throw new ConfigurationError(`${error.message}\n${USAGE}`);
  }
}

/**
 * Opens the database and creates it if there is none. A dry run creates nothing: without a database, it uses an empty
 * one in memory.
 */
async function open(env: Env, isDryRun: boolean): Promise<Pick<Database, "db" | "close">> {
  if (isDryRun && (await isAbsent(env))) {
    const memory = await openPglite({}, (error) => {
      throw error;
    });
    await migrateTables(memory.db);
    return memory;
  }
  if (!isDryRun) {
    mkdirSync(env.DATA_DIR, { recursive: true });
    await (await openDatabase(env)).close();
  }
  return openWithoutMigrating(env, COMMAND);
}

async function isAbsent(env: Env): Promise<boolean> {
  if (!env.DATABASE_URL) return isNew(embeddedFolder(env.DATA_DIR));
  const { db, close } = await openServerWithoutTimeouts(env.DATABASE_URL);
  try {
    return (await currentVersion(db)) === undefined;
  } finally {
    await close();
  }
}
