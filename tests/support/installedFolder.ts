import { temporaryFolder } from "./folders";
import { copyInstallation } from "./liveServer";

/**
 * Returns a temporary data folder in which a server with the embedded database has started and stopped once. For tests of
 * what comes later: a first start takes six seconds of CPU time.
 */
export async function installedFolder(): Promise<string> {
  const folder = temporaryFolder();
  await copyInstallation(folder);
  return folder;
}
