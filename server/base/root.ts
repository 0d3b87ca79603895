import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The folder of this installation, which holds package.json; the code lies in it as sources, or built under `dist/`. */
export const ROOT = rootAbove(import.meta.dirname);

function rootAbove(folder: string): string {
  if (existsSync(join(folder, "package.json"))) return folder;
  const above = dirname(folder);
  if (above === folder) throw new Error("There is no package.json above the server's code.");
  return rootAbove(above);
}
