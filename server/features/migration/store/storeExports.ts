import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { transaction } from "../../../db/transaction";
import { batchesOf, type Entry } from "../dump/batches";
import { dateOf, keyOf, listOf, textOf } from "../dump/values";
import { imagePlace } from "../map/paths";
import type { MigratedDataset, Migration } from "./context";
import { idsFor, knownRows, rememberRows } from "./ids";
import { withoutRepeats } from "./storeImages";

const MAX_TAGS = 1_000;

/** Migrates the exports whose files are in the folder of images, where the old server kept them. */
export async function storeExports(migration: Migration): Promise<void> {
  const { db, source, dump, datasets } = migration;
  const report = migration.report.of("export_model");
  for await (const batch of batchesOf(dump, "export_model", report)) {
    const entries = withoutRepeats(batch, report);
    const known = await knownRows(
      db,
      source,
      "export_model",
      entries.map(({ key }) => key),
    );
    report.known += known.size;
    for (const entry of entries) {
      if (known.has(entry.key)) continue;
      const label = `export ${entry.key}`;
      const dataset = datasets.get(keyOf(entry.doc.dataset_id) ?? "");
      const file = dataset && (await findFile(migration, dataset, textOf(entry.doc.path) ?? ""));
      if (!dataset) report.skip(label, "belongs to a dataset that is gone from the old database, or from Limn");
      else if (!file) report.skip(label, "has no file in the folder of images");
      else {
        if (!migration.options.isDryRun) await storeExport(migration, entry, dataset, file);
        report.created++;
      }
    }
    migration.progress(report);
  }
}

async function findFile({ options }: Migration, dataset: MigratedDataset, path: string): Promise<string | undefined> {
  if (!/\.(json|zip)$/i.test(path)) return undefined;
  for (const candidate of imagePlace(dataset, path, "")?.candidates ?? []) {
    const file = join(options.images, candidate);
    const state = await stat(file).catch(() => undefined);
    if (state?.isFile()) return file;
  }
  return undefined;
}

/** Copies the file before the row is stored, always under the same name: a repeat writes the same file. */
async function storeExport(migration: Migration, { key, doc }: Entry, dataset: MigratedDataset, from: string) {
  const { db, source, files } = migration;
  const plainKey = key.replace(/[^A-Za-z0-9-]/g, "_").slice(0, 40);
  const file = `migrated-${source.id.slice(0, 8)}-${plainKey}${from.slice(from.lastIndexOf(".")).toLowerCase()}`;
  const { bytes } = await files.transfers.writeExport(file, createReadStream(from));
  const tags = listOf(doc.tags).flatMap((tag) => textOf(tag)?.slice(0, 200) ?? []);
  const created_at = dateOf(doc.created_at);
  await transaction(db, async (trx) => {
    const [id = 0] = await idsFor(trx, source, "export_model", [key]);
    const row = { id, dataset_id: dataset.id, file, bytes, tags: JSON.stringify(tags.slice(0, MAX_TAGS)) };
    await trx
      .insertInto("exports")
      .values({ ...row, ...(created_at && { created_at }) })
      .execute();
    await rememberRows(trx, source, "export_model", [{ key, id }]);
  });
}
