import type { Kysely } from "kysely";
import type { Json } from "../../../../shared/entities/scalars";
import type { Schema } from "../../../db/schema";
import type { Files } from "../../../files/files";
import type { TaskHelpers } from "../../../queue/task";
import type { CategoryMatch } from "../match/matchCategories";
import type { Pixels } from "../match/matchImages";
import { type Report, Tally } from "../read/importReport";
import type { FileCategory } from "../read/readAnnotation";
import type { ReadCategory } from "../read/readCategory";
import type { FileId } from "../read/readItem";
import type { AnnotationWriter } from "./annotationWriter";
import { type Catalogue, readCatalogue } from "./readCatalogue";
import { storeAnnotations } from "./storeAnnotations";

/** Shares of the progress bar, in percent. */
const CATALOGUE = 10;
const ANNOTATIONS = 75;
/** Progress when the file has been read, in percent. */
export const READING = CATALOGUE + ANNOTATIONS;

/** Maximum number of images that the report names for each reason why images were not found. */
const MAX_IMAGES = 1000;

export interface ReadingTools extends Pick<TaskHelpers, "signal" | "progress" | "info" | "warn"> {
  db: Kysely<Schema>;
  files: Files;
}

/** A file, its dataset, and the destination of its contents: an import stores them, a dry run does not. */
export interface CocoReading {
  datasetId: number;
  upload: string;
  pixels: Pixels | undefined;
  /** Returns a match for each category of the file. */
  matchCategories: (categories: readonly ReadCategory[]) => Promise<CategoryMatch[]>;
  writer: AnnotationWriter;
}

/**
 * Reads an uploaded file, passes on its usable contents, and returns the report. The file is read twice, since
 * annotations may precede the images and categories to which they refer. Throws an Error whose message is shown to the
 * user if the file is malformed.
 */
export async function readCocoFile(tools: ReadingTools, reading: CocoReading): Promise<Report> {
  const { db, files, signal } = tools;
  const { datasetId, upload, pixels, writer } = reading;
  const bytes = Math.max(1, await files.transfers.uploadBytes(upload));
  const catalogueTallies = {
    images: new Tally(tools.warn, MAX_IMAGES),
    imageNotes: new Tally(tools.info),
    categories: new Tally(tools.warn),
    lists: new Tally(tools.warn),
  };
  const tallies = { skipped: new Tally(tools.warn), notes: new Tally(tools.info) };
  const file = { transfers: files.transfers, upload, signal };

  const onCatalogueBytes = (read: number) => tools.progress((CATALOGUE * read) / bytes);
  const catalogue = await readCatalogue({
    ...file,
    db,
    datasetId,
    pixels,
    ...catalogueTallies,
    onBytes: onCatalogueBytes,
  });
  const matches = await reading.matchCategories(catalogue.categories);
  logCategories(tools, catalogue.categories, matches);
  const { matched } = await storeAnnotations({
    ...file,
    db,
    writer,
    requester: `import of ${upload}`,
    images: catalogue.images,
    categories: categoriesById(catalogue.categories, matches),
    ...tallies,
    onBytes: (read) => tools.progress(CATALOGUE + (ANNOTATIONS * read) / bytes),
  });
  const all = [...Object.values(catalogueTallies), ...Object.values(tallies)];
  for (const tally of all) tally.logRest();
  const created = await writer.count();
  return {
    created,
    matched,
    skipped: tallies.skipped.counts(),
    notes: tallies.notes.counts(),
    images: { matched: countMatched(catalogue), ...catalogueTallies.images.counts() },
    image_notes: catalogueTallies.imageNotes.counts(),
    pixels: { ...catalogue.pixels },
    categories: matches as unknown as Json,
    category_notes: catalogueTallies.categories.counts(),
    file_notes: catalogueTallies.lists.counts(),
    examples: Object.assign({}, ...all.map((tally) => tally.examples())),
    licenses: catalogue.licenses,
    has_image_keys: catalogue.hasImageKeys,
  };
}

const MATCH_TEXTS: Record<CategoryMatch["how"], string> = {
  found: "category found",
  defined: "category found; it receives the file's keypoints",
  restored: "unused category restored from the trash",
  created: "category not found (creating a new one)",
  own: "category has other keypoints or is in the trash (creating a new one)",
};

function logCategories(
  { info }: ReadingTools,
  categories: readonly ReadCategory[],
  matches: readonly CategoryMatch[],
): void {
  const ids = new Map<number, string>();
  categories.forEach(({ name }, i) => {
    const match = matches[i];
    if (!match) return;
    info(`${name} ${MATCH_TEXTS[match.how]}`);
    const other = ids.get(match.id);
    if (other !== undefined) info(`${name} and ${other} of the file become one category`);
    ids.set(match.id, name);
  });
}

function categoriesById(
  categories: readonly ReadCategory[],
  matches: readonly CategoryMatch[],
): Map<FileId, FileCategory> {
  return new Map(categories.map(({ fileId }, i) => [fileId, matches[i] as CategoryMatch]));
}

const countMatched = ({ images }: Catalogue): number =>
  [...images.values()].filter((image) => typeof image === "object").length;
