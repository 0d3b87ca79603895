import { annotationTextPages, type CocoTextRow } from "../annotations/rows/annotationPages";
import { type ExportedImage, exportedImages } from "./coco/exportedImages";
import { oneAhead } from "./coco/oneAhead";
import type { ImageInZip } from "./formats/format";
import type { Piece } from "./formats/imageThread";
import { Stems } from "./stems";
import { type ImageOptions, imageFilter } from "./survey";

/** Yields the images to export in order of id, with their annotations in pieces of at most one page. */
export async function* piecesOf(options: ImageOptions): AsyncGenerator<Piece> {
  const { splitter } = options.survey;
  const stems = new Stems();
  let open: ImageInZip | undefined;
  for await (const { image, rows, isLast } of rowsOf(options)) {
    const { path, folder, width, height, hash } = image;
    open ??= { image: { path, folder, width, height }, stem: stems.of(path), split: splitter?.of(hash) };
    yield { image: open, rows, isLast };
    if (isLast) open = undefined;
  }
}

interface RowsOf {
  image: ExportedImage;
  rows: readonly CocoTextRow[];
  isLast: boolean;
}

async function* rowsOf({ db, dataset, filter, categories, signal }: ImageOptions): AsyncGenerator<RowsOf> {
  const ids = categories.map(({ id }) => id);
  for await (const page of exportedImages(db, dataset.id, { ...imageFilter(filter), signal })) {
    const images = page.values();
    let image = images.next().value;
    const counted = page.filter(({ count }) => count > 0);
    for await (const rows of oneAhead(annotationTextPages(db, counted, ids))) {
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
