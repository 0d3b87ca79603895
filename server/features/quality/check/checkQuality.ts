import type { FindingKind } from "../../../../shared/quality/finding";
import { transaction } from "../../../db/transaction";
import { deleteFindingsOfDataset, insertFindings } from "../findingRows";
import { recordCheck } from "../lastCheck";
import { type LookTools, lookAtObjects } from "../look/lookAtObjects";
import { checkCategories } from "./checkCategories";
import { checkFiles } from "./checkFiles";
import { type CheckedDataset, type CheckTools, checkImages } from "./checkImages";
import { checkLabels } from "./checkLabels";

/** Kinds that depend on other images or on all annotations of a category. */
const KINDS_OF_DATASET = [
  "leak",
  "sameImage",
  "similarImage",
  "unreadable",
  "blank",
  "turned",
  "unlabelled",
  "missingPoint",
  "unlikelyCategory",
  "unlikelyOutline",
  "unusualSize",
  "unusualShape",
  "rareCategory",
] as const satisfies FindingKind[];

/**
 * Progress in percent after the images are read, after DEXTR has looked at annotations, and after those of each
 * category are compared.
 */
const [READ, LOOKED, COMPARED] = [60, 90, 95];

/**
 * Checks a dataset. Reads only the images and annotations that have changed since the last check, or since a check that
 * was interrupted; compares all of them with each other.
 */
export async function checkQuality(
  tools: CheckTools & LookTools & { progress: (percent: number) => void },
  dataset: CheckedDataset,
  total: number,
): Promise<{ images: number; annotations: number; read: number; looked: number; findings: number }> {
  const { db, signal, progress } = tools;
  let images = 0;
  const { read } = await checkImages(tools, dataset, (count) => {
    images += count;
    progress(Math.min(READ, (READ * images) / Math.max(1, total)));
  });
  const looked = await lookAtObjects(tools, dataset, (share) => progress(READ + (LOOKED - READ) * share));
  const { findings: compared, annotations } = await checkCategories(db, dataset.id, signal);
  progress(COMPARED);
  const labels = await checkLabels(db, dataset.id, signal);
  const files = await checkFiles(db, dataset.id, signal);
  const findings = [compared, labels, files].flat();
  signal.throwIfAborted();
  await transaction(db, async (trx) => {
    await deleteFindingsOfDataset(trx, KINDS_OF_DATASET, dataset.id);
    await insertFindings(trx, dataset.id, findings);
  });
  await recordCheck(db, dataset.id, { images, annotations });
  return { images, annotations, read, looked, findings: findings.length };
}
