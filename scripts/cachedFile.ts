import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

const MARK = "?cached";

/**
 * Vite plugin: `import file from "some.wasm?cached"` returns the file's address, size and SHA-256, so that its loader
 * can show progress, cache the file and detect a damaged copy. In the build, the file's name has its hash.
 */
export function cachedFile(): Plugin {
  return {
    name: "cached-file",
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
