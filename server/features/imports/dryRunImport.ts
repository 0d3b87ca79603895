import { z } from "zod";
import { pixels } from "../../../shared/api/datasets/imports";
import type { Json } from "../../../shared/entities/scalars";
import { editableDataset } from "../access/access";
import { fileFormat } from "./formats/fileFormat";
import { categoriesNowhere } from "./match/categoryWriter";
import { matchCategories } from "./match/matchCategories";
import { publicReport, skippedOf } from "./read/importReport";
import { annotationsNowhere } from "./store/annotationWriter";
import { currentUserById, type ImportTools } from "./store/importRow";
import { readCocoFile } from "./store/readCocoFile";
import { isAbandoned } from "./undo/removeImport";

/** Payload of a dry run. `hash` is the hash of the file. */
export const dryRunPayload = z.object({
  dataset_id: z.number(),
  user_id: z.number(),
  file_name: z.string(),
  upload: z.string(),
  hash: z.string(),
  format: fileFormat.default("COCO"),
  pixels: pixels.optional(),
});
export type DryRunPayload = z.infer<typeof dryRunPayload>;

/**
 * Reads an uploaded file as its import would, stores nothing, and returns the report that the import would have if
 * nothing changed until then. Keeps the file for an import that may follow. Throws an Error whose message is shown to
 * the user, and removes the file, if it is malformed.
 */
export async function dryRunImport(tools: ImportTools, payload: DryRunPayload): Promise<Json> {
  const { db } = tools;
  const { dataset_id: datasetId, user_id: userId, file_name: fileName, upload, format, pixels } = payload;
  try {
    const user = await currentUserById(db, userId);
    await editableDataset(db, user, datasetId);
    tools.info(`Dry run of the import of ${fileName} in the format ${format}`);
    const matching = { trx: db, user, datasetId, writer: categoriesNowhere(user) };
    const report = await readCocoFile(tools, {
      datasetId,
      upload,
      pixels,
      matchCategories: (categories) => matchCategories(matching, categories),
      writer: annotationsNowhere(),
    });
    const { created, matched } = report;
    tools.info(
      `${created} annotations would be created, ${matched} already exist, ${skippedOf(report)} would be skipped`,
    );
    return { ...publicReport(report), dry_run: true, file_name: fileName };
  } catch (error) {
    if (await isAbandoned(tools, error)) await tools.files.transfers.removeUpload(upload);
    throw error;
  }
}
