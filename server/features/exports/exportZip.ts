import type { NewMember } from "../../files/zip/zipWriter";
import { type Exported, exportedCategories } from "./coco/exportDataset";
import { loadImportedExtras } from "./coco/importedExtras";
import { cocoMembers } from "./cocoMembers";
import { imageMembers } from "./imageMembers";
import { openAhead, type UnopenedMember } from "./openAhead";
import { surveyOf, type ZipOptions } from "./survey";

/**
 * Yields the members of a dataset's zip, and counts its contents in `exported`. Reads the images twice, because
 * categories must be numbered and images split into sets before the first member is written.
 */
export const exportZip = (options: ZipOptions, exported: Exported): AsyncGenerator<NewMember> =>
  openAhead(membersOf(options, exported));

async function* membersOf(options: ZipOptions, exported: Exported): AsyncGenerator<NewMember | UnopenedMember> {
  const { db, dataset, filter } = options;
  const survey = await surveyOf(options);
  if (filter.format === "coco") return yield* cocoMembers(options, survey, exported);
  const wanted = filter.categories.length > 0 ? filter.categories : undefined;
  const importedExtras = await loadImportedExtras(db, dataset.id);
  const categories = await exportedCategories(db, dataset.id, wanted, [...survey.used], importedExtras);
  exported.categories = categories.map(({ name }) => name);
  yield* imageMembers({ ...options, format: filter.format, categories, survey }, exported);
}
