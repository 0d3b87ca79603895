import { backupFolder, listBackups } from "./backupFolder";
import { readFacts } from "./readBackup";

/** Returns the advice for a damaged database, with the newest backup that is whole. */
export async function restoreHint(dataFolder: string): Promise<string> {
  const folder = backupFolder(dataFolder);
  const path = await newestWhole(folder);
  return path
    ? `Restore the newest whole backup, which puts what is there aside: npm run restore -- ${path} --force`
    : `There is no whole backup in ${folder}: restore one from elsewhere, which puts what is there aside: npm run restore -- FILE --force`;
}

/** Reads each backup to its end, from the newest on, until one is whole. */
async function newestWhole(folder: string): Promise<string | undefined> {
  for (const { path } of (await listBackups(folder)).reverse()) {
    const isWhole = await readFacts(path).then(
      () => true,
      () => false,
    );
    if (isWhole) return path;
  }
  return undefined;
}
