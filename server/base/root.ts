import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Root folder of this installation, which contains package.json. The code is below it, as sources or built in `dist/`.
 */
export const ROOT = rootAbove(import.meta.dirname);

function rootAbove(folder: string): string {
  if (existsSync(join(folder, "package.json"))) return folder;
  const above = dirname(folder);
  if (above === folder) throw new Error("There is no package.json above the server's code.");
  return rootAbove(above);
}
