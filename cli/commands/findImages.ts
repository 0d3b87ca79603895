import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { CommandError } from "../base/errors";

export interface FoundFile {
  /** Path relative to the folder, with `/` between names. */
  path: string;
  bytes: number;
}

const IMAGE = /\.(jpe?g|png|gif|webp|tiff?|bmp|avif)$/i;

/** Lists the images below a folder in order of their paths. Leaves out links, and names that begin with a dot. */
export async function findImages(folder: string): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  const waiting = [""];
  for (let inner = waiting.pop(); inner !== undefined; inner = waiting.pop()) {
    const entries = await readdir(join(folder, inner), { withFileTypes: true }).catch(
      (error: NodeJS.ErrnoException) => {
        throw new CommandError(`The folder ${join(folder, inner || ".")} cannot be read (${error.code}).`);
      },
    );
    for (const entry of entries) {
      const path = inner + entry.name;
      if (entry.name.startsWith(".")) continue;
      if (entry.isDirectory()) waiting.push(`${path}/`);
      else if (entry.isFile() && IMAGE.test(entry.name))
        found.push({ path, bytes: (await stat(join(folder, path))).size });
    }
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Returns the SHA-256 of a file, in hexadecimal. */
export async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path)) hash.update(piece);
  return hash.digest("hex");
}
