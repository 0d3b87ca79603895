import type { Kysely } from "kysely";
import type { ConsensusAnnotation, getConsensusImage } from "../../../shared/api/datasets/consensus";
import type { OutputOf } from "../../../shared/api/protocol/call";
import { imageNotFound } from "../../base/errors";
import type { Schema } from "../../db/schema";
import { withAgreementThread } from "./compare/agreementThread";
import { comparePairs, pairsOf } from "./compare/comparisons";
import type { Grouped } from "./compare/question";
import { readAnnotations } from "./compare/readAnnotations";
import { imageFigures } from "./consensusFigures";
import { loadCopies, loadTruths } from "./copies/copies";
import { mergedImages, readImages } from "./copies/readImages";

/**
 * Returns what the annotators have drawn on an image's copies, grouped into objects. Where the truth is known, the
 * image itself comes first. Crowds are in no object.
 */
export async function consensusImage(
  db: Kysely<Schema>,
  datasetId: number,
  imageId: number,
): Promise<OutputOf<typeof getConsensusImage>> {
  const copies = await loadCopies(db, datasetId, imageId);
  const truths = await loadTruths(db, datasetId, imageId);
  const [image] = await readImages(db, [imageId]);
  if (!image) throw imageNotFound();
  const { compared } = await comparePairs(db, pairsOf(copies, truths));
  const merges = await mergedImages(db, [imageId]);
  const more = { is_truth: truths.has(imageId), merged_at: merges.get(imageId) ?? null };
  const ids = [...(more.is_truth ? [imageId] : []), ...copies.map(({ id }) => id)];
  const read = await readAnnotations(db, ids);
  const sources = ids.flatMap((id) => read.get(id) ?? []);
  const grouped = await withAgreementThread((thread) => thread.ask({ what: "group", images: sources }));
  const { objects, rings } = grouped as Grouped;
  const byCopy = new Map(copies.map((copy) => [copy.id, copy]));
  return {
    image: { ...imageFigures(image, copies, compared, more), dataset_id: datasetId },
    annotators: copies.map(({ id, annotator, username, is_finished }) => ({
      ...{ id: annotator, username, copy_id: id, is_finished },
      revision: read.get(id)?.revision ?? 0,
    })),
    categories: await categoriesOf(
      db,
      sources.flatMap(({ annotations }) => annotations),
    ),
    annotations: sources.flatMap(({ annotations }, i) =>
      annotations.map(
        (annotation, at): ConsensusAnnotation => ({
          id: annotation.id,
          annotator: byCopy.get(annotation.image_id)?.annotator ?? null,
          category_id: annotation.category_id,
          rings: rings[i]![at]!,
          isbbox: annotation.isbbox,
          bbox: annotation.bbox,
          keypoints: annotation.keypoints ?? [],
        }),
      ),
    ),
    objects: objects.map(({ annotations, overlap }) => ({
      annotations: annotations.map(({ image: source, at }) => sources[source]!.annotations[at]!.id),
      overlap,
    })),
  };
}

function categoriesOf(db: Kysely<Schema>, annotations: readonly { category_id: number }[]) {
  const ids = [...new Set(annotations.map(({ category_id }) => category_id))];
  return db
    .selectFrom("categories")
    .select(["id", "name", "color"])
    .where("id", "in", [0, ...ids])
    .orderBy("id")
    .execute();
}
