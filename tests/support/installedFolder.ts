import { embeddedFolder, openPglite } from "../../server/db/embedded/embedded";
import { temporaryFolder } from "./folders";
import { copyInstallation } from "./liveServer";
import { copyEmptyDatabase } from "./newInstallation";

/**
 * Returns a temporary data folder in which a server with the embedded database has started and stopped once. For tests
 * of what comes later: a first start takes six seconds of CPU time.
 */
export async function installedFolder(): Promise<string> {
  const folder = temporaryFolder();
  await copyInstallation(folder);
  return folder;
}

/**
 * Returns a temporary data folder whose embedded database has no tables yet. For tests of new databases that are not
 * about their creation, which takes three seconds of CPU time.
 */
export async function folderWithoutTables(): Promise<string> {
  const folder = temporaryFolder();
  await copyEmptyDatabase(folder, async (draft) => {
    const { close } = await openPglite({ dir: embeddedFolder(draft) }, () => undefined);
    await close();
  });
  return folder;
}

/** Opens an embedded database without tables, for tests of migrations. */
export async function openWithoutTables() {
  return openPglite({ dir: embeddedFolder(await folderWithoutTables()) }, (error) => {
    throw error;
  });
}
