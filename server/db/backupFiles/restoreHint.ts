import { backupFolder, listBackups } from "./backupFolder";
import { readFacts } from "./readBackup";

/** Returns the advice for a damaged database, which names the newest complete backup. */
export async function restoreHint(dataFolder: string): Promise<string> {
  const folder = backupFolder(dataFolder);
  const path = await findNewestComplete(folder);
  return path
    ? `Restore the newest complete backup (this moves the present database aside): npm run restore -- ${path} --force`
    : `There is no complete backup in ${folder}: restore one from elsewhere (this moves the present database aside): npm run restore -- FILE --force`;
}

/** Reads the backups, newest first, until one is complete. */
async function findNewestComplete(folder: string): Promise<string | undefined> {
  for (const { path } of (await listBackups(folder)).reverse()) {
    const isComplete = await readFacts(path).then(
      () => true,
      () => false,
    );
    if (isComplete) return path;
  }
  return undefined;
}
