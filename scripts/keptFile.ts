import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

const MARK = "?kept";

/**
 * For Vite: `import file from "some.wasm?kept"` answers the file's address with its size and SHA-256, so that whoever
 * loads it can show progress, keep it, and tell a broken copy. The file goes into the build under a name with its hash.
 */
export function keptFile(): Plugin {
  return {
    name: "kept-file",
    enforce: "pre",
    async resolveId(source, importer) {
      if (!source.endsWith(MARK)) return null;
      const found = await this.resolve(source.slice(0, -MARK.length), importer, { skipSelf: true });
      return found && `${found.id}${MARK}`;
    },
    load(id) {
      if (!id.endsWith(MARK)) return null;
      const path = id.slice(0, -MARK.length);
      this.addWatchFile(path);
      const content = readFileSync(path);
      const sha256 = createHash("sha256").update(content).digest("hex");
      return [
        `import address from ${JSON.stringify(`${path}?url`)};`,
        `export default { address, bytes: ${content.length}, sha256: ${JSON.stringify(sha256)} };`,
      ].join("\n");
    },
  };
}
