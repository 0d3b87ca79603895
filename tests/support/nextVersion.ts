import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { buildServer } from "../../scripts/buildServer.mjs";
import { temporaryFolder } from "./folders";

const COPIED = ["server", "cli", "shared", "model", "package.json", "tsconfig.base.json"];

/**
 * Creates a copy of the server as its next version: with another version number and one more migration, which adds a
 * column. Returns the folder, to be used as the working directory of its processes.
 */
export async function makeNextVersion(): Promise<string> {
  const folder = temporaryFolder();
  for (const name of COPIED) cpSync(resolve(name), join(folder, name), { recursive: true });
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  const change = (name: string, edit: (text: string) => string) => {
    const path = join(folder, name);
    writeFileSync(path, edit(readFileSync(path, "utf8")));
  };
  change("package.json", (text) => text.replace(/"version": "[^"]+"/, '"version": "99.0.0"'));
  change("server/db/migrations/index.ts", (text) => {
    const next = `"9998-next": { up: async (db) => { await db.schema.alterTable("users").addColumn("next", "text").execute(); } },`;
    return text.replace(/\};\s*$/, `  ${next}\n};\n`);
  });
  await buildServer({ folder });
  return folder;
}
