import { createHash } from "node:crypto";
import { constants, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";

const CACHE = resolve("node_modules/.cache");

/**
 * Fills `dataDir` with the result of a server's first start with the embedded database, which takes seconds: a copy of
 * a folder that `make` fills once and that is cached between runs. All copies have the same installation id.
 */
export const copyNewInstallation = (dataDir: string, make: (dataDir: string) => Promise<void>): Promise<void> =>
  copyKept("limn-installation", hashOfDatabase(), dataDir, make);

/**
 * Fills `dataDir` with an embedded database without tables, like `copyNewInstallation`: creating it takes most of the
 * time of a first start.
 */
export const copyEmptyDatabase = (dataDir: string, make: (dataDir: string) => Promise<void>): Promise<void> =>
  copyKept("limn-empty", hashOfPglite(), dataDir, make);

async function copyKept(
  name: string,
  version: string,
  dataDir: string,
  make: (dataDir: string) => Promise<void>,
): Promise<void> {
  const kept = join(CACHE, `${name}-${version}`);
  if (!existsSync(kept)) await keep(name, kept, make);
  cpSync(kept, dataDir, { recursive: true, mode: constants.COPYFILE_FICLONE });
}

/** If several processes create the folder at once, the first one is kept. */
async function keep(prefix: string, folder: string, make: (dataDir: string) => Promise<void>): Promise<void> {
  const draft = `${folder}.${process.pid}.draft`;
  mkdirSync(draft, { recursive: true });
  await make(draft);
  try {
    renameSync(draft, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(draft, { recursive: true });
  }
  for (const name of readdirSync(CACHE))
    if (name.startsWith(`${prefix}-`) && /-[0-9a-f]+$/.test(name) && join(CACHE, name) !== folder)
      rmSync(join(CACHE, name), { recursive: true, force: true });
}

/** Returns a hash that changes when a new database would differ. */
export function hashOfDatabase(): string {
  const hash = createHash("sha256").update(hashOfPglite());
  // The database's functions are made from the rules for comparing text.
  for (const path of ["server/db", "shared/text"].flatMap(filesIn)) hash.update(readFileSync(path));
  return hash.digest("hex").slice(0, 16);
}

function hashOfPglite(): string {
  const source = readFileSync("node_modules/@electric-sql/pglite/package.json");
  return createHash("sha256").update(source).digest("hex").slice(0, 16);
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}
