import type { NewMember } from "../../files/zipWriter";
import { annotationPagesOf, type CocoRow } from "../coco/annotationPages";
import type { CocoCategoryRow } from "../coco/cocoItems";
import type { Exported } from "../coco/exportDataset";
import { type ExportedImage, exportedImages } from "../coco/exportedImages";
import type { Tally } from "../coco/importReport";
import { oneAhead } from "../coco/oneAhead";
import { Unusable } from "../coco/readItem";
import type { PictureFormat, PictureInZip, PictureWriter } from "./format";
import { formats } from "./formats";
import { Stems } from "./stems";
import { storedPicture } from "./storedPicture";
import { imageFilter, type Survey, type ZipOptions } from "./survey";

interface Options extends ZipOptions {
  format: PictureFormat;
  categories: readonly CocoCategoryRow[];
  survey: Survey;
}

/** The files of all pictures, picture by picture; of the annotations one page is held. */
export async function* pictureMembers(options: Options, exported: Exported): AsyncGenerator<NewMember> {
  const { dataset, filter, categories, survey, onProgress, skipped } = options;
  const format = formats[options.format]({
    datasetName: dataset.name,
    categories,
    splits: survey.dealing?.splits,
    note: (text, row) => skipped.add(text, labelOf(row)),
  });
  const numbers = new Map(categories.map(({ id }, number) => [id, number]));
  const stems = new Stems();
  yield* format.head();
  let open: { picture: PictureInZip; writer: PictureWriter } | undefined;
  for await (const { image, rows, isLast } of pieces(options)) {
    if (!open) {
      const picture = { image, stem: stems.of(image.path), split: survey.dealing?.of(image.hash) };
      open = { picture, writer: format.picture(picture) };
    }
    for (const row of rows) if (add(open.writer, row, numbers, skipped)) exported.annotations++;
    if (!isLast) continue;
    yield* open.writer.files();
    if (filter.with_images) yield* storedPicture(options, image, format.imagePath(open.picture));
    open = undefined;
    exported.images++;
    onProgress((100 * exported.images) / Math.max(1, survey.images));
  }
  yield* format.tail();
}

/** False, and told, for what the format cannot say. */
function add(writer: PictureWriter, row: CocoRow, numbers: ReadonlyMap<number, number>, skipped: Tally): boolean {
  const category = numbers.get(row.category_id);
  if (category === undefined) return false;
  try {
    writer.add(row, category);
    return true;
  } catch (error) {
    if (!(error instanceof Unusable || error instanceof RangeError)) throw error;
    skipped.add(error instanceof Unusable ? error.message : "its outline cannot be measured", labelOf(row));
    return false;
  }
}

const labelOf = ({ id }: Pick<CocoRow, "id">): string => `Annotation ${id}`;

/** Some annotations of a picture; those of the last piece are its last. */
interface Piece {
  image: ExportedImage;
  rows: readonly CocoRow[];
  isLast: boolean;
}

/** Every picture to be exported, by id, its annotations in pieces of a page. */
async function* pieces({ db, dataset, filter, categories, signal }: Options): AsyncGenerator<Piece> {
  const ids = categories.map(({ id }) => id);
  for await (const page of exportedImages(db, dataset.id, { ...imageFilter(filter), signal })) {
    const images = page.values();
    let image = images.next().value;
    const counted = page.filter(({ count }) => count > 0);
    for await (const rows of oneAhead(annotationPagesOf(db, counted, ids))) {
      signal.throwIfAborted();
      let from = 0;
      for (const [i, row] of rows.entries()) {
        for (; image && image.id !== row.image_id; image = images.next().value, from = i)
          yield { image, rows: rows.slice(from, i), isLast: true };
      }
      if (image) yield { image, rows: rows.slice(from), isLast: false };
    }
    for (; image; image = images.next().value) yield { image, rows: [], isLast: true };
  }
}
