import { filesOf } from "../../features/versions/versionFiles";
import type { Patient } from "./check";

/** Age in milliseconds above which a file must belong to an export or task; a newer file may still be in progress. */
const SETTLED_MS = 3_600_000;

/** Checks that every export and version has its files, and that every file belongs to an export, version or task. */
export async function* transfers({ db, files }: Patient): AsyncGenerator<string> {
  const exports = await db.selectFrom("exports").select(["id", "file", "bytes"]).orderBy("id").execute();
  for (const { id, file, bytes } of exports) {
    const found = await files.transfers.readExport(file).catch(() => undefined);
    await found?.close();
    if (!found) yield `Export ${id} has no file.`;
    else if (found.bytes !== bytes) yield `Export ${id} has a file of ${found.bytes} bytes instead of ${bytes}.`;
  }
  const versions = await db.selectFrom("versions").select(["id", "file", "entries_file"]).orderBy("id").execute();
  for (const version of versions)
    for (const file of filesOf(version)) {
      const found = await files.transfers.readExport(file).catch(() => undefined);
      await found?.close();
      if (!found) yield `Version ${version.id} lacks the file ${file}.`;
    }
  const known = new Set([...exports.map(({ file }) => file), ...versions.flatMap(filesOf)]);
  for (const { name, modifiedMs } of await files.transfers.listExports())
    if (isOld(modifiedMs) && !known.has(name)) yield `The export file ${name} belongs to no export or version.`;

  const tasks = await db.selectFrom("tasks").select("payload").where("state", "in", ["queued", "running"]).execute();
  const payloads = tasks.map(({ payload }) => JSON.stringify(payload)).join("\n");
  for (const { name, modifiedMs } of await files.transfers.listUploads())
    if (isOld(modifiedMs) && !payloads.includes(name)) yield `The uploaded file ${name} belongs to no task.`;
}

function isOld(modifiedMs: number): boolean {
  return Date.now() - modifiedMs > SETTLED_MS;
}
