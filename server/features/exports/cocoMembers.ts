import type { Split } from "../../../shared/entities/export";
import type { NewMember } from "../../files/zip/zipWriter";
import { type Exported, exportDataset } from "./coco/exportDataset";
import { exportedImages } from "./coco/exportedImages";
import type { UnopenedMember } from "./openAhead";
import { storedImage } from "./storedImage";
import { imageFilter, type Survey, type ZipOptions } from "./survey";

type Member = NewMember | UnopenedMember;

/** Share of the JSON in the progress bar if images follow, in percent. */
const JSON_SHARE = 50;

/**
 * Yields the members of a COCO zip: annotations/ with one JSON file per set, and images/ with the images at their
 * paths.
 */
export async function* cocoMembers(options: ZipOptions, survey: Survey, exported: Exported): AsyncGenerator<Member> {
  const { filter, onProgress } = options;
  const splits = survey.splitter?.splits ?? [undefined];
  const part = (filter.with_images ? JSON_SHARE : 100) / splits.length;
  for (const [i, split] of splits.entries()) {
    const content = jsonOf(options, survey, split, exported, (percent) => onProgress(part * (i + percent / 100)));
    yield { path: `annotations/${split ?? "instances"}.json`, content };
  }
  if (filter.with_images) yield* images(options, survey);
}

function jsonOf(
  { db, dataset, filter, signal }: ZipOptions,
  { splitter }: Survey,
  split: Split | undefined,
  exported: Exported,
  onProgress: (percent: number) => void,
): AsyncIterable<string> {
  return exportDataset(db, dataset, {
    ...imageFilter(filter),
    accepts: split && (({ hash }) => splitter?.of(hash) === split),
    segmentation: filter.segmentation ?? undefined,
    signal,
    onProgress,
    onEnd: ({ images, annotations, categories }) => {
      exported.images += images;
      exported.annotations += annotations;
      exported.categories = [...new Set([...exported.categories, ...categories])];
    },
  });
}

async function* images(options: ZipOptions, survey: Survey): AsyncGenerator<UnopenedMember> {
  const { db, dataset, filter, signal, onProgress } = options;
  let done = 0;
  for await (const page of exportedImages(db, dataset.id, { ...imageFilter(filter), signal })) {
    for (const image of page) {
      yield storedImage(options, image, `images/${image.path}`);
      onProgress(JSON_SHARE + ((100 - JSON_SHARE) * ++done) / Math.max(1, survey.images));
    }
  }
}
