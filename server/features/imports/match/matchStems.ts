import { type Kysely, sql } from "kysely";
import { hasFileName, isLiveImage } from "../../../db/rows/images";
import type { ImageRow, Schema } from "../../../db/schema";
import { fileNameOf, withoutExtension } from "../../../files/paths/safePath";
import { exifOf, type ImageMatch } from "./matchImages";

/** File extensions of images in groups, the common ones first, so that one query finds most images. */
const ENDINGS = [
  ["jpg", "png", "jpeg", "JPG"],
  ["webp", "bmp", "tif", "tiff", "gif", "avif", "PNG", "JPEG", "WEBP", "BMP", "TIF", "TIFF", "GIF", "AVIF"],
];

type DatasetImage = Pick<
  ImageRow,
  "id" | "path" | "file_name" | "width" | "height" | "orientation" | "num_annotations"
>;

/**
 * Finds the dataset's image for each list of paths without extension, most likely first: by path, else by the name
 * alone if it is unique. A path may still have the image's extension ("a.jpg.txt"). Such files have no image sizes.
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
    const image = checkImage(known);
    const exif = typeof image === "object" && known?.[0] ? exifOf({}, known[0]) : undefined;
    return { name: stems.at(-1) ?? "", image, byName: !found[i] && known !== undefined, exif };
  });
}

function checkImage(known: readonly DatasetImage[] | undefined): ImageMatch["image"] {
  const [first, other] = known ?? [];
  if (!first) return "not in the dataset";
  if (other) return "ambiguous file name";
  const { id, width, height, num_annotations: count } = first;
  return { id, width, height, turn: null, count };
}

/** Returns the images found for each stem. An image whose full name equals the stem wins over all others. */
async function find(
  db: Kysely<Schema>,
  datasetId: number,
  column: "path" | "file_name",
  stems: readonly string[],
): Promise<Map<string, DatasetImage[]>> {
  const found = new Map<string, DatasetImage[]>();
  let missing = [...new Set(stems)].filter((stem) => stem !== "" && !stem.includes("\u0000") && stem.isWellFormed());
  for (const endings of ENDINGS) {
    if (missing.length === 0) break;
    const rows = await query(db, datasetId, column, missing, endings);
    const wanted = new Set(missing);
    for (const row of rows) {
      const [whole, stem] = [row[column], withoutExtension(row[column])];
      if (wanted.has(whole)) found.set(whole, [row]);
      else if (wanted.has(stem)) found.set(stem, [...(found.get(stem) ?? []), row]);
    }
    missing = missing.filter((stem) => !found.has(stem));
  }
  return found;
}

/** Returns at most two images per name, enough to recognize an ambiguous one. */
async function query(
  db: Kysely<Schema>,
  datasetId: number,
  column: "path" | "file_name",
  stems: readonly string[],
  endings: readonly string[],
): Promise<DatasetImage[]> {
  const names = stems.flatMap((stem) => [stem, ...endings.map((ending) => `${stem}.${ending}`)]);
  const isNamed = column === "path" ? sql`path = any(${names}::text[])` : hasFileName(names);
  const { rows } = await sql<DatasetImage>`
    select id, path, file_name, width, height, orientation, num_annotations from (
      select images.*, row_number() over (partition by ${sql.ref(column)} order by id) as number from images
      where dataset_id = ${datasetId} and ${isNamed} and ${isLiveImage()}) as found
    where number <= 2 order by id`.execute(db);
  return rows;
}
