import { type Kysely, sql } from "kysely";
import type { ImageRow, Schema } from "../../../db/schema";
import { fileNameOf, withoutEnding } from "../../../files/paths/safePath";
import { exifOf, type ImageMatch } from "./matchImages";

/** Endings of images, the usual ones first: most are found at the first look. */
const ENDINGS = [
  ["jpg", "png", "jpeg", "JPG"],
  ["webp", "bmp", "tif", "tiff", "gif", "avif", "PNG", "JPEG", "WEBP", "BMP", "TIF", "TIFF", "GIF", "AVIF"],
];

type Known = Pick<ImageRow, "id" | "path" | "file_name" | "width" | "height" | "orientation" | "num_annotations">;

/**
 * Finds the dataset's images for paths without ending, each a list with the surest first: by path, or by a path that has an
 * ending already ("a.jpg.txt"), else by the bare name where one image only has it. Such files say no sizes.
 */
export async function matchStems(
  db: Kysely<Schema>,
  datasetId: number,
  lists: readonly (readonly string[])[],
): Promise<ImageMatch[]> {
  const byPath = await find(db, datasetId, "path", lists.flat());
  const found = lists.map((stems) => stems.map((stem) => byPath.get(stem)).find(Boolean));
  const names = lists.map((stems, i) => (found[i] ? undefined : fileNameOf(stems[0] ?? "")));
  const byName = await find(
    db,
    datasetId,
    "file_name",
    names.filter((name) => name !== undefined),
  );
  return lists.map((stems, i) => {
    const name = names[i];
    const known = found[i] ?? (name === undefined ? undefined : byName.get(name));
    const image = judge(known);
    const exif = typeof image === "object" && known?.[0] ? exifOf({}, known[0]) : undefined;
    return { name: stems.at(-1) ?? "", image, byName: !found[i] && known !== undefined, exif };
  });
}

function judge(known: readonly Known[] | undefined): ImageMatch["image"] {
  const [first, other] = known ?? [];
  if (!first) return "not in the dataset";
  if (other) return "ambiguous file name";
  const { id, width, height, num_annotations: count } = first;
  return { id, width, height, turn: null, count };
}

/** By stem the images that have it. One that has the stem as its whole name is meant, whatever others there are. */
async function find(
  db: Kysely<Schema>,
  datasetId: number,
  column: "path" | "file_name",
  stems: readonly string[],
): Promise<Map<string, Known[]>> {
  const found = new Map<string, Known[]>();
  let missing = [...new Set(stems)].filter((stem) => stem !== "" && !stem.includes("\u0000") && stem.isWellFormed());
  for (const endings of ENDINGS) {
    if (missing.length === 0) break;
    const rows = await query(db, datasetId, column, missing, endings);
    const wanted = new Set(missing);
    for (const row of rows) {
      const [whole, stem] = [row[column], withoutEnding(row[column])];
      if (wanted.has(whole)) found.set(whole, [row]);
      else if (wanted.has(stem)) found.set(stem, [...(found.get(stem) ?? []), row]);
    }
    missing = missing.filter((stem) => !found.has(stem));
  }
  return found;
}

/** Of images with the same file name two, which are as good as more. */
async function query(
  db: Kysely<Schema>,
  datasetId: number,
  column: "path" | "file_name",
  stems: readonly string[],
  endings: readonly string[],
): Promise<Known[]> {
  const names = stems.flatMap((stem) => [stem, ...endings.map((ending) => `${stem}.${ending}`)]);
  const { rows } = await sql<Known>`
    select id, path, file_name, width, height, orientation, num_annotations from (
      select images.*, row_number() over (partition by ${sql.ref(column)} order by id) as number from images
      where dataset_id = ${datasetId} and ${sql.ref(column)} = any(${names}::text[]) and deleted_at is null) as found
    where number <= 2 order by id`.execute(db);
  return rows;
}
